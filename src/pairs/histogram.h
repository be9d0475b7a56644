/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A histogram: how many values lie in each of the rows that bounds cut the numbers into.
 *
 * Row 0 has what is below the first bound, row i what is at or above bound i - 1 and below bound i,
 * the last row all the rest. So there is a row for every number, and one row more than bounds.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bisect.h"

struct diag;

#define HISTOGRAM_BOUNDS_MAX 1000

/* What was asked for: how the numbers are cut into rows. */
enum histogram_kind {
	HISTOGRAM_POWERS, /* 0, 1, N, N^2, ... */
	HISTOGRAM_STEPS,  /* 0, N, 2 N, ... */
	HISTOGRAM_GIVEN,  /* the bounds themselves */
};

struct histogram_scale {
	enum histogram_kind kind;
	uint64_t power; /* 0: 4 */
	uint64_t step;
	uint64_t max; /* the first bound that is not below it is the last; 0: the usual one */
	struct {
		int64_t *items;
		size_t n, room;
	} given;
};

#define HISTOGRAM_POWER_DEFAULT 4
#define HISTOGRAM_MAX_DEFAULT   1048576
#define HISTOGRAM_STEPS_DEFAULT 20

void histogram_scale_done(struct histogram_scale *s);

/* What power and max are when they were not given. */
uint64_t histogram_scale_power(const struct histogram_scale *s);
uint64_t histogram_scale_max(const struct histogram_scale *s);

/*
 * Reads a list of bounds, "100 1000 10000", with blanks or commas between them, into @s. -EINVAL:
 * not numbers in ascending order, or too many; @diag marks the mistake.
 */
int histogram_scale_parse_bounds(struct histogram_scale *s, const char *text, struct diag *diag);

/* Reads "STEP" or "STEP,MAX" into @s. -EINVAL as above. */
int histogram_scale_parse_steps(struct histogram_scale *s, const char *text, struct diag *diag);

struct histogram {
	int64_t *bounds;
	size_t n_bounds;
	uint64_t *counts; /* of n_bounds + 1 rows */
	bool is_time;     /* no value is below 0 */
};

/* Makes the rows of @s, all empty. -EINVAL with @diag: there would be too many of them. */
int histogram_init(struct histogram *h, const struct histogram_scale *s, struct diag *diag);
void histogram_done(struct histogram *h);

/* The row of @value. O(log n). */
static inline size_t histogram_row(const struct histogram *h, int64_t value)
{
	return BISECT(i, h->n_bounds, h->bounds[i] <= value);
}

static inline size_t histogram_rows(const struct histogram *h)
{
	return h->n_bounds + 1;
}

/* The first row that can have values. */
size_t histogram_first_row(const struct histogram *h);

/* The first and the last number of a row, as far as it has them. */
struct histogram_range {
	bool has_first, has_last;
	int64_t first, last;
};

struct histogram_range histogram_range(const struct histogram *h, size_t row);

/* The sum and the largest of the counts. */
uint64_t histogram_total(const struct histogram *h);
uint64_t histogram_most(const struct histogram *h);
