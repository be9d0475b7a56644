/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Adds up rows of FLEET_SAMPLE as they come. This is faster than a database in our own process,
 * which would have to sort them.
 */
#include <stddef.h>
#include <stdint.h>

struct fleet_data;

/* Sources and events are numbers of the caller, so that many sums take little memory. */
struct fleet_sum {
	int64_t minute, stack;
	int64_t samples, period;
	uint32_t source, event;
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

/* Forgets all sums, but keeps the memory for as many. */
void fleet_sums_clear(struct fleet_sums *s);

/* The most rows that are added at once. */
#define FLEET_SUMS_BLOCK 512

/*
 * Adds each of the @n rows to the sum of the rows that differ from it only in samples and period.
 * Many rows at once are faster, because the processor fetches their sums from memory at the same
 * time.
 */
void fleet_sums_add(struct fleet_sums *s, const struct fleet_sum *rows, size_t n);

/* The moments over which the samples of a minute are spread, and the seconds between them. */
#define FLEET_THIRDS  3
#define FLEET_THIRD_S 20

/*
 * Spreads the samples of a sum, which is of one minute, evenly over the minute, because their
 * positions in it are unknown. The sums of the moments have no stack. Returns how many there are.
 */
size_t fleet_thirds(const struct fleet_sum *sum, struct fleet_sum ret[FLEET_THIRDS]);

/*
 * Adds the sums to FLEET_SAMPLE of @d, in the order of fleet_select_weights(). @sources and
 * @events are the ids by number; @d has the rows of the sources. This sorts the sums.
 */
void fleet_sums_take(struct fleet_sums *s, const int64_t *sources, size_t n_sources,
		     const int64_t *events, struct fleet_data *d);
