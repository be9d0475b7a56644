/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How long calls of a function took, or the time between two events: counted by rows, and summed
 * up.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

/* How many rows there are where no maximum says it. */
#define LATENCY_ROWS 22

/* Nobody reads more. */
#define LATENCY_ROWS_MAX 100000

/* All numbers are in the unit. */
struct latency_scale {
	bool uses_nsec; /* the unit: ns, or us */
	uint64_t range; /* of a row; 0: powers of two */
	/* With a range: */
	uint64_t min; /* where the second row begins; 0: at @range */
	uint64_t max; /* where the last row begins, or at the last row before; 0: see above */
};

struct latency {
	struct latency_scale scale;
	size_t n_rows;
	int64_t *bounds_ns; /* [i] is where row i + 1 begins; row 0 begins at 0 */
	uint64_t *counts;   /* of each row */
	uint64_t count, total_ns, min_ns, max_ns; /* min and max: if there is one at all */
};

/* -EINVAL with @diag: no such rows; *@l is untouched then. */
int latency_init(struct latency *l, const struct latency_scale *scale, struct diag *diag);
void latency_done(struct latency *l);

/* Counts one. O(log rows). */
void latency_add(struct latency *l, uint64_t duration_ns);

/* Nanoseconds in a unit of the scale. */
uint64_t latency_unit_ns(const struct latency_scale *s);

/* Where row @i begins, in the unit. */
uint64_t latency_row_start(const struct latency *l, size_t i);
