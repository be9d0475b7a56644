/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Waits for futexes, which become waits for locks of user space once their stack has told what they
 * are (tools/lock/user-locks-model.h).
 */
#include <stdbool.h>
#include <stdint.h>

#include "tools/lock/user-locks-model.h"

struct lock_contention;
struct lock_filters;

/* Waits for a futex: one, or the sums of those that have process, address, call and stack alike. */
struct futex_waits {
	struct futex_wait wait;
	uint32_t tid;  /* who waits; with @of_owner, who has it */
	bool of_owner; /* rows are of owners, whose stacks are not known */
	uint64_t addr;
	uint64_t cgroup;
	uint64_t contended;
	uint64_t total_ns, max_ns, min_ns;
};

/*
 * Adds @w to the rows of @m, unless @f leaves it out: by address or name, or because it is a wait
 * for a condition and no filter asks for these. Returns how many waits for conditions were left
 * out.
 */
uint64_t futex_waits_add(const struct futex_waits *w, struct user_locks *u,
			 const struct lock_filters *f, struct lock_contention *m);
