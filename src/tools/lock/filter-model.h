/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which waits count: the filters of tools/lock/contention-model.h, made ready for events.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "tools/lock/caller-model.h"
#include "tools/lock/contention-model.h"

/* `struct lock_filter f = { 0 };` lets everything pass. */
struct lock_filter {
	const struct lock_filters *request; /* NULL: none */
	uint64_t *addrs;                    /* of the locks, sorted */
	size_t n_addrs;
	const char **unknown; /* names that are no symbol of the kernel */
	size_t n_unknown;
	struct u64_map stacks; /* which stacks have a wanted function, by their hash */
};

/* Finds the addresses of the locks that @f names. */
void lock_filter_init(struct lock_filter *ret, const struct lock_filters *f,
		      const struct lock_names *names);
void lock_filter_done(struct lock_filter *f);

/* Must the stack of each wait be known? */
bool lock_filter_needs_stacks(const struct lock_filter *f);

/* Does @w pass? What it does not tell (an address or a cgroup of 0, no stack) passes. */
bool lock_filter_passes(struct lock_filter *f, const struct lock_names *names,
			const struct lock_waits *w);
