/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A heat map: the number of times each value was seen, as counts over time and value.
 *
 *	struct heat *h = heat_new(&options);
 *	heat_add(h, time, value);	any number of times, in any order
 *	heat_settle(h, &map, diag);
 *
 * Columns and rows are chosen from all values at the end, yet no single value is kept. Values are
 * counted in cells that are finer than any picture and become coarser as the span of time grows.
 * Memory grows with the number of distinct fine cells, some hundred thousand at most if the times
 * are spread evenly. Counts are exact.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct diag;
struct heat;

/*
 * The value axis of a heat map: values are first counted in fine steps, then in rows with round
 * bounds.
 *
 * The right rows are known only when all values are known. Until then a value is kept as its three
 * leading digits and its magnitude, called a *step*: 123456 is in the step of 123000 to 123999.
 * Below 1000 steps are exact. Every bound chosen here is the beginning of a step, so rows are sums
 * of whole steps and their counts are exact.
 */

/* Returns the step of @value. Steps have the same order as values. */
uint32_t heat_step(uint64_t value);

/* Returns the smallest value of @step. */
uint64_t heat_step_value(uint32_t step);

/*
 * Row i contains the values from bounds[i] up to bounds[i + 1]. Only the last row includes its
 * upper bound.
 */
struct heat_rows {
	uint64_t *bounds; /* n + 1 bounds */
	size_t n;
};

#define HEAT_ROWS_MAX 200

void heat_rows_done(struct heat_rows *r);

/* Makes at most @rows rows of the same round width, from 0 to a value above @high. */
struct heat_rows heat_rows_linear(uint64_t high, size_t rows);

/*
 * Makes rows that grow with the value. The number of rows per power of ten is chosen so that there
 * are at most @rows of them; @rows is at least two. 0 has a row of its own.
 */
struct heat_rows heat_rows_log(uint64_t low, uint64_t high, size_t rows);

/* Returns the row of @value, which must lie within the bounds. O(log n). */
size_t heat_rows_find(const struct heat_rows *r, uint64_t value);

/* Returns the smallest of 1, 2, 5, 10, 20, 50, ... that is not below @at_least. */
uint64_t heat_round_up(uint64_t at_least);

enum heat_scale {
	/*
	 * Linear if min or max is given. Otherwise logarithmic if more than half of the values
	 * would be in the lowest linear row.
	 */
	HEAT_AUTO,
	HEAT_LINEAR,
	HEAT_LOG,
};

#define HEAT_COLUMNS_MAX 2000

struct heat_options {
	enum heat_scale scale;
	uint64_t min, max; /* values outside are only counted; max 0: the largest value */
	size_t rows;       /* the maximum; up to HEAT_ROWS_MAX */
	size_t columns;    /* the maximum; up to HEAT_COLUMNS_MAX */
	uint64_t step_ns;  /* the width of a column; 0: a round width, by @columns */
};

/* The content of a heat map. */
struct heat_map {
	uint64_t start_ns, step_ns; /* column i begins at start_ns + i * step_ns */
	size_t n_columns;
	struct heat_rows rows;
	bool is_log;
	uint64_t *counts;        /* [c * rows.n + r] is the count of column c and row r */
	uint64_t *column_totals; /* including values outside of the rows */
	uint64_t highest;        /* the highest of all counts */
	uint64_t total;          /* number of all values, including those outside */
	uint64_t over, under;    /* the number of values above max, and below min */
	uint64_t smallest, largest;
};

struct heat *heat_new(const struct heat_options *o);
void heat_free(struct heat *h);
DEFINE_FREEP(heat)

/*
 * Sets the beginning of the first column to @time_ns, unless something earlier is added. It is
 * called before the first value or not at all; without it the first column begins about at the
 * earliest value.
 */
void heat_start(struct heat *h, uint64_t time_ns);

/* heat_add() counts @value at @time_ns; heat_add_many() counts it @n times. */
void heat_add(struct heat *h, uint64_t time_ns, uint64_t value);
void heat_add_many(struct heat *h, uint64_t time_ns, uint64_t value, uint64_t n);

/*
 * Chooses columns and rows. Errors with @diag: -ENODATA if nothing was added; -E2BIG if a given
 * step makes more than HEAT_COLUMNS_MAX columns.
 */
int heat_settle(const struct heat *h, struct heat_map *ret, struct diag *diag);
void heat_map_done(struct heat_map *m);

/* Merges adjacent columns, always the same number of them, until there are at most @n. */
void heat_map_merge_columns(struct heat_map *m, size_t n);

/* Returns the count of a cell. */
static inline uint64_t heat_count(const struct heat_map *m, size_t column, size_t row)
{
	return m->counts[column * m->rows.n + row];
}

/* Counts by column and row, most of which are zero: a hash table of the cells that are not. */

struct heat_cell {
	int64_t column;
	uint32_t row;
	uint64_t count; /* 0: this place of the table is free */
};

struct heat_cells {
	struct heat_cell *items;
	size_t n, room; /* the capacity is a power of two */
	uint64_t seed;
};

void heat_cells_init(struct heat_cells *c);
void heat_cells_done(struct heat_cells *c);

/* Adds @count, which is not 0, to a cell. O(1). */
void heat_cells_add(struct heat_cells *c, int64_t column, uint32_t row, uint64_t count);

/*
 * Merges every @factor columns into one: columns i * factor up to (i + 1) * factor - 1 become
 * column i.
 */
void heat_cells_coarsen(struct heat_cells *c, int64_t factor);

/* Returns @a / @b, rounded down. @b is above 0. */
int64_t heat_floor_div(int64_t a, int64_t b);

/* Makes the model of an HTML page (profile/page/page.h) from a heat map. */

struct heat_map;
struct page;

/* Adds @m to @p. The heat map is the only view of the page apart from the facts. */
void heat_page_fill(struct page *p, const struct heat_map *m, bool values_are_times);
