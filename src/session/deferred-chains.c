/* SPDX-License-Identifier: MIT */
#include "session/deferred-chains.h"

#include <string.h>

#include "wire/record.h"

void deferred_chains_done(struct deferred_chains *d)
{
	u64_map_done(&d->known);
	arena_done(&d->arena);
	*d = (struct deferred_chains){ 0 };
}

/*
 * Returns the key. The kernel never gives a cookie twice, so two threads have the same one only in
 * damaged files.
 */
static uint64_t deferred_chains_key_of(uint32_t tid, uint64_t cookie)
{
	return cookie ^ (uint64_t)tid << 32;
}

void deferred_chains_add(struct deferred_chains *d, uint32_t tid, uint64_t time,
			 const struct record_callchain_deferred *r)
{
	uint64_t key = deferred_chains_key_of(tid, r->cookie);
	struct deferred_chain *c;

	if (u64_map_find(&d->known, key))
		return;
	c = arena_alloc(&d->arena, sizeof(*c) + r->ips.n * sizeof(c->ips[0]));
	c->cookie = r->cookie;
	c->time = time;
	c->tid = tid;
	c->n = r->ips.n;
	for (size_t i = 0; i < c->n; i++)
		c->ips[i] = words_get(&r->ips, i);
	u64_map_put(&d->known, key, c);
}

struct chain_copying {
	struct deferred_chains *to;
	uint64_t since;
};

static void copy_chain(void *arg, uint64_t key, void *value)
{
	const struct chain_copying *c = arg;
	const struct deferred_chain *from = value;
	size_t size = sizeof(*from) + from->n * sizeof(from->ips[0]);
	struct deferred_chain *copy;

	if (from->time < c->since)
		return;
	copy = arena_alloc(&c->to->arena, size);
	memcpy(copy, from, size);
	u64_map_put(&c->to->known, key, copy);
}

void deferred_chains_copy_since(struct deferred_chains *to, const struct deferred_chains *from,
				uint64_t time)
{
	struct chain_copying c = { to, time };

	u64_map_for_each(&from->known, copy_chain, &c);
}

const struct deferred_chain *deferred_chains_find(const struct deferred_chains *d, uint32_t tid,
						  uint64_t cookie)
{
	const struct deferred_chain *c = u64_map_find(&d->known,
						      deferred_chains_key_of(tid, cookie));

	return c && c->tid == tid && c->cookie == cookie ? c : NULL;
}

bool deferred_chain_mark(const struct words *chain, size_t *ret)
{
	/* The marker is at the end, unless a later kernel adds entries. */
	for (size_t i = chain->n; i-- > 0;)
		if (words_get(chain, i) == PERF_CONTEXT_USER_DEFERRED && i + 1 < chain->n) {
			*ret = i;
			return true;
		}
	return false;
}
