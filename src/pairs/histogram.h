/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A histogram: how many values lie in each of the rows into which bounds divide the numbers.
 *
 * Row 0 has the values below the first bound, row i those at or above bound i - 1 and below bound
 * i, the last row all others. So every number has a row, and there is one row more than bounds.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bisect.h"

struct diag;

#define HISTOGRAM_BOUNDS_MAX 1000

/* The scale that was requested: how the numbers are divided into rows. */
enum histogram_kind {
	HISTOGRAM_POWERS, /* 0, 1, N, N^2, ... */
	HISTOGRAM_STEPS,  /* 0, N, 2 N, ... */
	HISTOGRAM_GIVEN,  /* the given bounds themselves */
};

struct histogram_scale {
	enum histogram_kind kind;
	uint64_t power; /* 0 stands for 4 */
	uint64_t step;
	uint64_t max; /* the last bound is the first one not below it; 0: the default */
	struct {
		int64_t *items;
		size_t n, room;
	} given;
};

#define HISTOGRAM_POWER_DEFAULT 4
#define HISTOGRAM_MAX_DEFAULT   1048576
#define HISTOGRAM_STEPS_DEFAULT 20

void histogram_scale_done(struct histogram_scale *s);

/* Return the power and the maximum, with their defaults if they were not given. */
uint64_t histogram_scale_power(const struct histogram_scale *s);
uint64_t histogram_scale_max(const struct histogram_scale *s);

/*
 * Parses a list of bounds, "100 1000 10000", with blanks or commas between them, into @s. -EINVAL:
 * not numbers in ascending order, or too many; @diag marks the mistake.
 */
int histogram_scale_parse_bounds(struct histogram_scale *s, const char *text, struct diag *diag);

/* Parses "STEP" or "STEP,MAX" into @s. -EINVAL as above. */
int histogram_scale_parse_steps(struct histogram_scale *s, const char *text, struct diag *diag);

struct histogram {
	int64_t *bounds;
	size_t n_bounds;
	uint64_t *counts; /* the counts of n_bounds + 1 rows */
	bool is_time;     /* no value is below 0 */
};

/* Makes the rows of @s, all empty. -EINVAL with @diag: there would be too many rows. */
int histogram_init(struct histogram *h, const struct histogram_scale *s, struct diag *diag);
void histogram_done(struct histogram *h);

/* Returns the row of @value. O(log n). */
static inline size_t histogram_row(const struct histogram *h, int64_t value)
{
	return BISECT(i, h->n_bounds, h->bounds[i] <= value);
}

static inline size_t histogram_rows(const struct histogram *h)
{
	return h->n_bounds + 1;
}

/* Returns the first row that can have values. */
size_t histogram_first_row(const struct histogram *h);

/* The first and the last number of a row, if it has them. */
struct histogram_range {
	bool has_first, has_last;
	int64_t first, last;
};

struct histogram_range histogram_range(const struct histogram *h, size_t row);

/* Return the sum of the counts, and the largest count. */
uint64_t histogram_total(const struct histogram *h);
uint64_t histogram_most(const struct histogram *h);
