/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The filters of waits for locks: as they were requested, and prepared for events. A wait is
 * described here, because filters see it first; tools/lock/contention-model.h counts it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "tools/lock/caller-model.h"
#include "tools/lock/type-model.h"

/* The filters. An empty one accepts everything. Texts are borrowed. */
struct lock_filters {
	struct lock_types types;
	/* Names of locks may belong to user space, so they need not be symbols of the kernel. */
	bool user;
	/*
	 * Locks, by address or by the name of a kernel symbol, which is looked up when names are
	 * known.
	 */
	struct {
		const char **items;
		size_t n, room;
	} locks;
	/* Parts of names. A function of the stack must contain one of them. */
	struct {
		const char **items;
		size_t n, room;
	} callers;
	struct {
		uint64_t *items;
		size_t n, room;
	} cgroups;
};

void lock_filters_done(struct lock_filters *f);

/* Waits for a lock: one, or the sums of several that belong to one row. */
struct lock_waits {
	uint32_t pid, tid; /* the waiting thread; with owners, the holder */
	uint64_t addr;     /* the lock's address */
	uint64_t cgroup;
	uint32_t flags;        /* as in tools/lock/type-model.h */
	const uint64_t *stack; /* innermost first, without PERF_CONTEXT_* markers; or NULL */
	size_t n_stack;
	uint64_t contended;
	uint64_t total_ns, max_ns, min_ns;
};

/* A prepared filter. `struct lock_filter f = { 0 };` accepts everything. */
struct lock_filter {
	const struct lock_filters *request; /* NULL: none */
	uint64_t *addrs;                    /* the locks' addresses, sorted */
	size_t n_addrs;
	const char **unknown; /* names that are not symbols of the kernel */
	size_t n_unknown;
	struct u64_map stacks; /* by a stack's hash: whether it has a wanted function */
};

/* Finds the addresses of the locks that @f names. */
void lock_filter_init(struct lock_filter *ret, const struct lock_filters *f,
		      const struct lock_names *names);
void lock_filter_done(struct lock_filter *f);

/* True if the stack of each wait is needed. */
bool lock_filter_needs_stacks(const struct lock_filter *f);

/*
 * True if @w is accepted. Missing properties (an address or a cgroup of 0, no stack) are accepted.
 */
bool lock_filter_passes(struct lock_filter *f, const struct lock_names *names,
			const struct lock_waits *w);
