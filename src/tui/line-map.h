/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Maps lines of a list to items that are some lines high each: a row with its call tree below it.
 * Lookups in both directions, and changes of a height, take O(log n).
 */
#include <stddef.h>
#include <stdint.h>

struct line_map {
	uint32_t *sums; /* sums of heights: a Fenwick tree, whose index begins at 1 */
	uint32_t *heights;
	size_t n;
	size_t total;
};

/*
 * Sets @n items, each one line high, in place of the previous ones. A map that is all zero is
 * empty.
 */
void line_map_init(struct line_map *m, size_t n);
void line_map_done(struct line_map *m);

/* Returns the total number of lines. */
size_t line_map_lines(const struct line_map *m);

uint32_t line_map_height(const struct line_map *m, size_t item);
void line_map_set(struct line_map *m, size_t item, uint32_t height);

/* Returns the first line of @item; for n, the line after the last. */
size_t line_map_start(const struct line_map *m, size_t item);

/*
 * Returns the item to which @line belongs, and the number of the line in it. n: there are fewer
 * lines.
 */
size_t line_map_find(const struct line_map *m, size_t line, size_t *ret_sub);
