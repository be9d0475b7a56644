/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The positions of a flame graph's boxes on a terminal: a row for each depth, bars of whole cells.
 *
 * Boxes narrower than a cell are merged with their neighbours into one bar that stands for all of
 * them; the boxes above them are not examined. The time therefore depends on the shown bars and not
 * on the number of boxes.
 */
#include <stddef.h>
#include <stdint.h>

#include "profile/flame.h"

struct flame_bar {
	uint32_t box;        /* or the heaviest one of several */
	uint32_t first, end; /* the range of its boxes, including those above */
	uint32_t n_merged;   /* 0: a single box; else the number of narrow boxes */
	int x, width;        /* in cells */
	uint64_t start;      /* the weight of all boxes to its left */
};

struct flame_bars {
	struct {
		struct flame_bar *items;
		size_t n, room;
	} bars; /* by row, from left to right */
	struct {
		size_t *items;
		size_t n, room;
	} starts;      /* by row: its first bar; then the end of the last row */
	size_t n_rows; /* one less than starts */
	uint32_t root; /* fills the first row */
	int width;
};

/* Lays out the boxes on box @root of @f in @width cells. The previous memory is reused. */
void flame_bars_make(struct flame_bars *l, const struct flame *f, uint32_t root, int width);
void flame_bars_done(struct flame_bars *l);

/* Returns the bar of a row that covers cell @x; NULL: there is none. */
const struct flame_bar *flame_bars_at(const struct flame_bars *l, size_t row, int x);

/*
 * Returns the bar that shows @box: its own, the one into which it was merged, or that of the
 * nearest shown box below it. NULL: the box is not above the root. *@ret_row becomes its row.
 */
const struct flame_bar *flame_bars_find(const struct flame_bars *l, uint32_t box, size_t *ret_row);

/* Returns the bar to the left (@step -1) or right (1) of @bar in its row; NULL: there is none. */
const struct flame_bar *flame_bars_beside(const struct flame_bars *l, size_t row,
					  const struct flame_bar *bar, int step);
