/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the range that contains a number. Ranges may overlap: the one with the highest rank wins,
 * and among equal ranks the one that was added first.
 *
 * `struct range_map m = { 0 };` is empty. Add ranges, settle once, then find; range_map_done()
 * releases it. Settling leaves ranges that do not overlap, in order, each with the value with which
 * it was added.
 */
#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t start, end; /* end is exclusive */
	uint64_t rank;
	uint32_t value;
	uint32_t order; /* number of ranges added before it */
};

struct range_map {
	struct range *items;
	size_t n, room;
};

void range_map_done(struct range_map *m);

/* Adds [@start, @end) unless it is empty. */
void range_map_add(struct range_map *m, uint64_t start, uint64_t end, uint64_t rank,
		   uint32_t value);

/* Resolves overlaps. O(n log n); the result has at most twice as many ranges as were added. */
void range_map_settle(struct range_map *m);

/* Returns the range that contains @at, or NULL. O(log n). */
const struct range *range_map_find(const struct range_map *m, uint64_t at);

/* Returns the index of the first range that ends after @at, or m->n. O(log n). */
size_t range_map_seek(const struct range_map *m, uint64_t at);
