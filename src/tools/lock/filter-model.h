/* SPDX-License-Identifier: MIT */
#pragma once
/* The filters of tools/lock/contention-model.h, prepared for events. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "tools/lock/caller-model.h"
#include "tools/lock/contention-model.h"

/* A prepared filter. `struct lock_filter f = { 0 };` accepts everything. */
struct lock_filter {
	const struct lock_filters *request; /* NULL: none */
	uint64_t *addrs;                    /* of the locks, sorted */
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
