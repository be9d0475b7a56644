/* SPDX-License-Identifier: MIT */
#include "profile/reference-stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/u64-map.h"
#include "session/call-chain.h"

struct reference_stacks {
	struct u64_map by_tid; /* struct call_chain */
};

struct reference_stacks *reference_stacks_new(void)
{
	return xcalloc(1, sizeof(struct reference_stacks));
}

static void free_chain(void *arg, uint64_t tid, void *value)
{
	(void)arg, (void)tid;
	call_chain_done(value);
	free(value);
}

void reference_stacks_free(struct reference_stacks *r)
{
	if (!r)
		return;
	u64_map_for_each(&r->by_tid, free_chain, NULL);
	u64_map_done(&r->by_tid);
	free(r);
}

static void reference_stacks_copy(struct call_chain *to, const struct call_chain *from)
{
	to->items = array_reserve(to->items, &to->room, from->n, sizeof(*to->items));
	if (from->n)
		memcpy(to->items, from->items, from->n * sizeof(*to->items));
	to->n = from->n;
}

void reference_stacks_keep(struct reference_stacks *r, uint32_t tid, const struct call_chain *c)
{
	struct call_chain *last = u64_map_find(&r->by_tid, tid);

	if (!last) {
		last = xcalloc(1, sizeof(*last));
		u64_map_put(&r->by_tid, tid, last);
	}
	reference_stacks_copy(last, c);
}

void reference_stacks_get(const struct reference_stacks *r, uint32_t tid, struct call_chain *c)
{
	const struct call_chain *last = u64_map_find(&r->by_tid, tid);

	c->n = 0;
	if (last)
		reference_stacks_copy(c, last);
}
