/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sums of short waits, read from the kernel, in the order of their keys; and the additions between
 * two readings. The kernel's sums are never reset, so no wait is lost to a race.
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

/* Makes sums from @n keys and values, which are two arrays. */
struct off_cpu_sums off_cpu_sums_of(const void *keys, const void *values, size_t n);

/* Tasks that became another program, or ended: the time, and the last generation of their sums. */
struct off_cpu_ends {
	struct off_cpu_end {
		uint32_t tid, generation;
		uint64_t time_ns;
	} * items;
	size_t n, room;
};

/* Sorts @e for off_cpu_ends_find(). */
void off_cpu_ends_sort(struct off_cpu_ends *e);

/* Returns the time at which the generation of @key ended; 0: it is not in @e. */
uint64_t off_cpu_ends_find(const struct off_cpu_ends *e, const struct off_cpu_key *key);

/* Adds the rows of @more, which are in order, to @s. */
void off_cpu_sums_add(struct off_cpu_sums *s, const struct off_cpu_sums *more);

/* Removes the rows of @gone, which are in order, from @s, if they are in it. */
void off_cpu_sums_remove(struct off_cpu_sums *s, const struct off_cpu_sums *gone);

/* Returns the additions of @now to @before; rows without any are left out. */
struct off_cpu_sums off_cpu_sums_since(const struct off_cpu_sums *now,
				       const struct off_cpu_sums *before);
