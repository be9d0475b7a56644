/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The durations of calls of a function, or the times between two events: counted by rows, and
 * summed up.
 */
#include <stdbool.h>
#include <stdint.h>

#include "bpf/hist-types.h"
#include "pairs/histogram.h"

struct diag;

/* The number of rows if it does not follow from a maximum. */
#define LATENCY_ROWS 22

/* The maximum number of rows, because nobody reads more. */
#define LATENCY_ROWS_MAX 100000

/* The scale. All numbers are in its unit. */
struct latency_scale {
	bool uses_nsec; /* the unit: ns, or us */
	uint64_t range; /* width of a row; 0: powers of two */
	/* Used with a range: */
	uint64_t min; /* the beginning of the second row; 0: at @range */
	uint64_t max; /* the last row begins at or before it; 0: see above */
};

struct latency {
	struct latency_scale scale;
	struct histogram rows; /* in the scale's unit; row 0 begins at 0 */
	struct hist_sums sums; /* min and max are valid if count is not 0 */
};

/* Initialises @l. -EINVAL with @diag: the rows are not possible; *@l is then untouched. */
int latency_init(struct latency *l, const struct latency_scale *scale, struct diag *diag);
void latency_done(struct latency *l);

/* Counts one duration. O(log rows). */
void latency_add(struct latency *l, uint64_t duration_ns);

/* Returns the nanoseconds in a unit of the scale. */
uint64_t latency_unit_ns(const struct latency_scale *s);
