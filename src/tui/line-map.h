/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which line of a list belongs to which item, where items are some lines high each: a row with its
 * call tree below it. Finding either way, and changing a height, take O(log n).
 */
#include <stddef.h>
#include <stdint.h>

struct line_map {
	uint32_t *sums; /* of heights: a Fenwick tree, from 1 on */
	uint32_t *heights;
	size_t n;
	size_t total;
};

/* @n items, each one line high. Replaces what was there; a map that is all zeros is empty. */
void line_map_init(struct line_map *m, size_t n);
void line_map_done(struct line_map *m);

/* All lines together. */
size_t line_map_lines(const struct line_map *m);

uint32_t line_map_height(const struct line_map *m, size_t item);
void line_map_set(struct line_map *m, size_t item, uint32_t height);

/* The first line of @item; of n, the line behind the last. */
size_t line_map_start(const struct line_map *m, size_t item);

/* The item that @line belongs to, and which of its lines that is; n: there are less lines. */
size_t line_map_find(const struct line_map *m, size_t line, size_t *ret_sub);
