/* SPDX-License-Identifier: MIT */
#include "session/call-chain-lbr.h"

#include "base/memory.h"
#include "session/call-chain.h"
#include "wire/sample.h"

bool call_chain_is_lbr(const struct attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_BRANCH_STACK &&
	       attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

/* Finds where the user's part of the chain begins. */
static bool find_user(const struct sample *sample, size_t max, size_t *ret)
{
	const struct words *chain = &sample->chain;

	for (size_t i = 0; i < chain->n && i < max; i++)
		if (words_get(chain, i) == PERF_CONTEXT_USER) {
			*ret = i;
			return true;
		}
	return false;
}

static void call_chain_lbr_add(struct call_chain *c, uint64_t ip, enum address_mode mode)
{
	c->items[c->n++] = (struct chain_entry){ .ip = ip, .mode = mode };
}

static void call_chain_lbr_add_kernel(struct call_chain *c, const struct sample *sample, size_t n)
{
	enum address_mode mode = address_mode_of(sample->misc);

	for (size_t i = 0; i < n; i++) {
		uint64_t ip = words_get(&sample->chain, i);

		if (ip < PERF_CONTEXT_MAX)
			call_chain_lbr_add(c, ip, mode);
		else
			call_chain_marker(ip, &mode);
	}
}

bool call_chain_take_lbr(struct call_chain *c, const struct sample *sample, size_t max)
{
	size_t n_calls = sample->branches.n / 3, n_kernel;

	if (!n_calls || !find_user(sample, max, &n_kernel))
		return false;
	c->items = array_reserve(c->items, &c->room, n_kernel + n_calls + 1, sizeof(*c->items));
	c->n = 0;
	call_chain_lbr_add_kernel(c, sample, n_kernel);
	call_chain_lbr_add(c, sample_branch(sample, 0).to, ADDRESS_USER);
	for (size_t i = 0; i < n_calls; i++)
		call_chain_lbr_add(c, sample_branch(sample, i).from, ADDRESS_USER);
	return true;
}
