/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sums of short waits, read out of the kernel, in the order of their keys; and what was added to
 * them between two readings. The kernel's sums are never reset, so that no wait is lost to a race.
 */
#include <stddef.h>
#include <stdint.h>

#include "bpf/off-cpu-types.h"

struct off_cpu_row {
	struct off_cpu_key key;
	struct off_cpu_sum sum;
};

struct off_cpu_sums {
	struct off_cpu_row *items;
	size_t n, room;
};

void off_cpu_sums_done(struct off_cpu_sums *s);

/* Sums out of @n keys and values, each one behind the other. */
struct off_cpu_sums off_cpu_sums_of(const void *keys, const void *values, size_t n);

/* Tasks that became another program, or ended: when, and the last generation of their sums. */
struct off_cpu_ends {
	struct off_cpu_end {
		uint32_t tid, generation;
		uint64_t time_ns;
	} * items;
	size_t n, room;
};

/* Makes off_cpu_ends_find() possible. */
void off_cpu_ends_sort(struct off_cpu_ends *e);

/* When the generation of @key ended; 0: it is not among @e. */
uint64_t off_cpu_ends_find(const struct off_cpu_ends *e, const struct off_cpu_key *key);

/* Adds the rows of @more, in order, to @s. */
void off_cpu_sums_add(struct off_cpu_sums *s, const struct off_cpu_sums *more);

/* Removes the rows of @gone, in order, from @s, if they are there. */
void off_cpu_sums_remove(struct off_cpu_sums *s, const struct off_cpu_sums *gone);

/* What @now has more than @before; rows to which nothing was added are left out. */
struct off_cpu_sums off_cpu_sums_since(const struct off_cpu_sums *now,
				       const struct off_cpu_sums *before);
