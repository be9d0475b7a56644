/* SPDX-License-Identifier: MIT */
#include "session/call-chain.h"

#include <stdlib.h>

#include "base/memory.h"
#include "session/internal.h"
#include "session/stack-unwind.h"

void call_chain_done(struct call_chain *c)
{
	free(c->items);
	free(c->merged.items);
	leaf_memo_done(&c->memo);
	call_memo_done(&c->calls);
	stack_unwinder_free(c->unwinder);
	*c = (struct call_chain){ 0 };
}

bool call_chain_marker(uint64_t marker, enum address_mode *ret)
{
	switch (marker) {
	case PERF_CONTEXT_HV:
		*ret = ADDRESS_HYPERVISOR;
		return true;
	case PERF_CONTEXT_KERNEL:
		*ret = ADDRESS_KERNEL;
		return true;
	case PERF_CONTEXT_USER:
	case PERF_CONTEXT_USER_DEFERRED:
		*ret = ADDRESS_USER;
		return true;
	case PERF_CONTEXT_GUEST_KERNEL:
		*ret = ADDRESS_GUEST_KERNEL;
		return true;
	case PERF_CONTEXT_GUEST_USER:
		*ret = ADDRESS_GUEST_USER;
		return true;
	default:
		return false;
	}
}

static void call_chain_add(struct call_chain *c, uint64_t ip, enum address_mode mode)
{
	c->items[c->n++] = (struct chain_entry){ .ip = ip, .mode = mode };
}

/* Unwinds the user's part of the stack, where the kernel did not. */
static void add_unwound(struct call_chain *c, const struct session *s, const struct sample *sample,
			uint64_t time, size_t max)
{
	struct unwound u;

	if (!c->unwinder)
		c->unwinder = stack_unwinder_new();
	u = stack_unwind(c->unwinder, s, sample, time, max);
	c->items = array_reserve(c->items, &c->room, c->n + u.n, sizeof(*c->items));
	for (size_t i = 0; i < u.n; i++)
		call_chain_add(c, u.ips[i], ADDRESS_USER);
}

static void call_chain_add_cookie(struct call_chain *c, uint64_t cookie)
{
	call_chain_add(c, cookie, ADDRESS_UNKNOWN);
	c->items[c->n - 1].is_cookie = true;
}

static void session_call_chain_take(struct call_chain *c, const struct session *s,
				    const struct sample *sample, uint64_t time, size_t max)
{
	enum address_mode mode = address_mode_of(sample->misc);
	const struct words *chain = &sample->chain;
	bool seen_user = false;

	c->items = array_reserve(c->items, &c->room, chain->n + 1, sizeof(*c->items));
	c->n = 0;
	c->memo.span = SPAN_ALWAYS;
	for (size_t i = 0, n = 0; i < chain->n && n < max; i++) {
		uint64_t ip = words_get(chain, i);

		if (ip >= PERF_CONTEXT_MAX) {
			if (!call_chain_marker(ip, &mode))
				break;
			if (ip == PERF_CONTEXT_USER_DEFERRED && ++i < chain->n)
				call_chain_add_cookie(c, words_get(chain, i));
			continue;
		}
		call_chain_add(c, ip, mode);
		c->items[c->n - 1].is_return = c->n > 1 && c->items[c->n - 2].mode == mode;
		n++;
		if (mode != ADDRESS_USER || seen_user)
			continue;
		seen_user = true;
		if (n < max && leaf_caller(s, &c->memo, sample, i, time, &ip))
			call_chain_add(c, ip, mode);
		else if (leaf_next_is_callees(s, &c->memo, sample, i, time))
			i++;
	}
	if (!seen_user && stack_unwind_can(sample) && s->with_symbols)
		add_unwound(c, s, sample, time, max);
}

/* The chain up to its mark, and then what came for the cookie behind it, if that came. */
static struct words call_chain_merge(struct call_chain *c, const struct session *s,
				     const struct sample *sample, size_t mark)
{
	const struct deferred_chain *rest = deferred_chains_find(
		&s->machine.deferred, sample->tid, words_get(&sample->chain, mark + 1));

	c->merged.n = 0;
	for (size_t i = 0; i < mark; i++)
		*ARRAY_ADD(&c->merged) = words_get(&sample->chain, i);
	*ARRAY_ADD(&c->merged) = PERF_CONTEXT_USER;
	for (size_t i = 0; rest && i < rest->n; i++)
		*ARRAY_ADD(&c->merged) = rest->ips[i];
	return (struct words){ .bytes = (const uint8_t *)c->merged.items, .n = c->merged.n };
}

/* The cast is to a mark, which is not part of the state. */
static void mark_taken(const struct session *s)
{
	atomic_bool *taken = &((struct session *)s)->takes_chains;

	if (!atomic_load_explicit(taken, memory_order_relaxed))
		atomic_store_explicit(taken, true, memory_order_relaxed);
}

void call_chain_take(struct call_chain *c, const struct session *s, const struct sample *sample,
		     uint64_t time, size_t max)
{
	size_t mark;

	if (max >= CHAIN_DEPTH_DEFAULT)
		mark_taken(s);
	if (s->events.defers && !s->keeps_cookies && deferred_chain_mark(&sample->chain, &mark)) {
		struct sample whole = *sample;

		whole.chain = call_chain_merge(c, s, sample, mark);
		session_call_chain_take(c, s, &whole, time, max);
	} else {
		session_call_chain_take(c, s, sample, time, max);
	}
}
