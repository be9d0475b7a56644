/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts by column and row, of which most are zero: a hash table of the others.
 */
#include <stddef.h>
#include <stdint.h>

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
