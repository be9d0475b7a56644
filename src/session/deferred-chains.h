/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The user's part of stacks that the kernel took later, when the thread returned to user mode
 * (attr.defer_callchain). A sample has a cookie instead of it; the record CALLCHAIN_DEFERRED of the
 * same thread and cookie has the addresses, for all samples since the thread entered the kernel.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"

struct record_callchain_deferred;
struct words;

/* `struct deferred_chains d = { 0 };` is empty. */
struct deferred_chains {
	struct arena arena;
	struct u64_map known; /* by thread and cookie */
};

struct deferred_chain {
	uint64_t cookie;
	uint64_t time; /* when the kernel wrote it, after the samples it belongs to */
	uint32_t tid;
	size_t n;
	uint64_t ips[];
};

void deferred_chains_done(struct deferred_chains *d);

/*
 * Keeps a copy of @r, which the thread @tid got at @time. Only the first one for a cookie counts.
 */
void deferred_chains_add(struct deferred_chains *d, uint32_t tid, uint64_t time,
			 const struct record_callchain_deferred *r);

/* Adds those chains of @from to @to that samples from @time on may belong to. */
void deferred_chains_copy_since(struct deferred_chains *to, const struct deferred_chains *from,
				uint64_t time);

/* Finds a chain. NULL: it never came. */
const struct deferred_chain *deferred_chains_find(const struct deferred_chains *d, uint32_t tid,
						  uint64_t cookie);

/* Finds the position of the marker before a cookie in @chain. false: it has none. */
bool deferred_chain_mark(const struct words *chain, size_t *ret);
