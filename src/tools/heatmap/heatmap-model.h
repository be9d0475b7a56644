/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A heat map: how often which value was seen when, as counts over time and value.
 *
 *	struct heat *h = heat_new(&options);
 *	heat_add(h, time, value);	any number of times, in any order
 *	heat_settle(h, &map, diag);
 *
 * Columns and rows are chosen from all values at the end, yet no value is kept: values are counted
 * in cells that are finer than any picture and become coarser as the span of time grows. Memory is
 * that of the distinct fine cells, some hundred thousand at most where times are spread evenly.
 * Counts are exact.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct diag;
struct heat;

/*
 * The value axis of a heat map: values as fine steps first, then as rows with round bounds.
 *
 * Which rows are right is known only when all values are. Until then a value is kept as its three
 * leading digits and its magnitude, a *step*: 123456 is in the step of 123000 to 123999. Below 1000
 * steps are exact. Every bound chosen here is the beginning of a step, so rows are sums of whole
 * steps and their counts exact.
 */

/* The step of @value; steps are ordered as values are. */
uint32_t heat_step(uint64_t value);

/* The smallest value of @step. */
uint64_t heat_step_value(uint32_t step);

/* Row i has the values from bounds[i] to bounds[i + 1]; only the last row has both of them. */
struct heat_rows {
	uint64_t *bounds; /* n + 1 */
	size_t n;
};

#define HEAT_ROWS_MAX 200

void heat_rows_done(struct heat_rows *r);

/* At most @rows equal ones from 0 to a value above @high, with a round width. */
struct heat_rows heat_rows_linear(uint64_t high, size_t rows);

/*
 * Rows that grow with the value, as many to each power of ten as keep it at @rows; two at least. 0
 * has a row of its own.
 */
struct heat_rows heat_rows_log(uint64_t low, uint64_t high, size_t rows);

/* The row of @value, which lies within the bounds. O(log n). */
size_t heat_rows_find(const struct heat_rows *r, uint64_t value);

/* The smallest of 1, 2, 5, 10, 20, 50, ... that is not below @at_least. */
uint64_t heat_round_up(uint64_t at_least);

enum heat_scale {
	/*
	 * Linear if min or max is given; else logarithmic if more than half of the values would be
	 * in the lowest of the linear rows.
	 */
	HEAT_AUTO,
	HEAT_LINEAR,
	HEAT_LOG,
};

#define HEAT_COLUMNS_MAX 2000

struct heat_options {
	enum heat_scale scale;
	uint64_t min, max; /* values outside are only counted; a max of 0: that of the values */
	size_t rows;       /* at most; up to HEAT_ROWS_MAX */
	size_t columns;    /* at most; up to HEAT_COLUMNS_MAX */
	uint64_t step_ns;  /* the width of a column; 0: a round one, by @columns */
};

/* What is drawn. */
struct heat_map {
	uint64_t start_ns, step_ns; /* column i begins at start_ns + i * step_ns */
	size_t n_columns;
	struct heat_rows rows;
	bool is_log;
	uint64_t *counts;        /* of column c and row r: counts[c * rows.n + r] */
	uint64_t *column_totals; /* with what lies outside of the rows */
	uint64_t highest;        /* of all counts */
	uint64_t total;          /* of all values, also those outside */
	uint64_t over, under;    /* how many were above max, and below min */
	uint64_t smallest, largest;
};

struct heat *heat_new(const struct heat_options *o);
void heat_free(struct heat *h);
DEFINE_FREEP(heat)

/*
 * The first column begins at @time_ns, unless something earlier is added. To be called before the
 * first value, or not at all: then it begins about where the values do.
 */
void heat_start(struct heat *h, uint64_t time_ns);

/* Counts @value at @time_ns; and the same @n times. */
void heat_add(struct heat *h, uint64_t time_ns, uint64_t value);
void heat_add_many(struct heat *h, uint64_t time_ns, uint64_t value, uint64_t n);

/*
 * Chooses columns and rows. -ENODATA: nothing was added; -E2BIG: a given step makes more than
 * HEAT_COLUMNS_MAX columns; with @diag.
 */
int heat_settle(const struct heat *h, struct heat_map *ret, struct diag *diag);
void heat_map_done(struct heat_map *m);

/* Makes columns wider, by a whole number of them, until there are at most @n. */
void heat_map_merge_columns(struct heat_map *m, size_t n);

/* The count of a cell. */
static inline uint64_t heat_count(const struct heat_map *m, size_t column, size_t row)
{
	return m->counts[column * m->rows.n + row];
}

/*
 * Counts by column and row, of which most are zero: a hash table of the others.
 */

struct heat_cell {
	int64_t column;
	uint32_t row;
	uint64_t count; /* 0: a free place of the table */
};

struct heat_cells {
	struct heat_cell *items;
	size_t n, room; /* room is a power of two */
	uint64_t seed;
};

void heat_cells_init(struct heat_cells *c);
void heat_cells_done(struct heat_cells *c);

/* Adds @count, not 0, to a cell. O(1). */
void heat_cells_add(struct heat_cells *c, int64_t column, uint32_t row, uint64_t count);

/* Makes one column of every @factor: column i * factor and those that follow it become i. */
void heat_cells_coarsen(struct heat_cells *c, int64_t factor);

/* @a / @b, rounded down. @b is above 0. */
int64_t heat_floor_div(int64_t a, int64_t b);

/*
 * A heat map as the model of an HTML page (profile/page/page.h).
 */

struct heat_map;
struct page;

/* Puts @m into @p, as its only view but the facts. */
void heat_page_fill(struct page *p, const struct heat_map *m, bool values_are_times);
