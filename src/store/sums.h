/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Adds up rows of FLEET_SAMPLE as they come. This is faster than a database in our own process,
 * which would have to sort them.
 */
#include <stddef.h>
#include <stdint.h>

struct fleet_data;

struct fleet_sum {
	int64_t minute, source, event, stack;
	int64_t samples, period;
};

/* `struct fleet_sums s = { 0 };` is empty. */
struct fleet_sums {
	struct fleet_sum *items; /* in the order of their first row */
	size_t n, room;
	/* private: */
	uint32_t *slots; /* by hash: 1 + an index; 0: free */
	size_t n_slots;
	uint64_t seed;
};

void fleet_sums_done(struct fleet_sums *s);

/* Adds @row to the sum of the rows that differ from it only in samples and period. */
void fleet_sums_add(struct fleet_sums *s, const struct fleet_sum *row);

/*
 * Adds the sums to FLEET_SAMPLE of @d, which has their sources, in the order of
 * fleet_select_weights(). This sorts the sums.
 */
void fleet_sums_take(struct fleet_sums *s, struct fleet_data *d);
