/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the boxes of a flame graph are on a terminal: a row for each depth, bars of whole cells.
 *
 * Boxes narrower than a cell are put together, with those beside them, into one bar that stands
 * for all of them; what lies above such boxes is not looked at. So it takes time by what is shown
 * and not by the number of boxes.
 */
#include <stddef.h>
#include <stdint.h>

#include "profile/flame.h"

struct flame_bar {
	uint32_t box;        /* or the heaviest of several */
	uint32_t first, end; /* the numbers of the boxes that it stands for, with those above */
	uint32_t n_merged;   /* 0: it is one box; else so many narrow ones */
	int x, width;        /* in cells */
	uint64_t start;      /* what boxes to its left weigh */
};

struct flame_bars {
	struct {
		struct flame_bar *items;
		size_t n, room;
	} bars; /* row by row, in each from left to right */
	struct {
		size_t *items;
		size_t n, room;
	} starts;      /* by row, its first bar; behind the last row, where that ends */
	size_t n_rows; /* one less than starts */
	uint32_t root; /* takes all of the first row */
	int width;
};

/* Lays out what stands on box @root of @f in @width cells. What was there before is reused. */
void flame_bars_make(struct flame_bars *l, const struct flame *f, uint32_t root, int width);
void flame_bars_done(struct flame_bars *l);

/* The bar of a row in whose cells @x is; NULL: none. */
const struct flame_bar *flame_bars_at(const struct flame_bars *l, size_t row, int x);

/*
 * The bar that shows @box: its own, the one that it was put into, or that of the nearest box below
 * it that is shown. NULL: it does not stand on the root. Its row is in *@ret_row.
 */
const struct flame_bar *flame_bars_find(const struct flame_bars *l, uint32_t box, size_t *ret_row);

/* The bar to the left (@step -1) or right (1) of @bar in its row; NULL: there is none. */
const struct flame_bar *flame_bars_beside(const struct flame_bars *l, size_t row,
					  const struct flame_bar *bar, int step);
