/* SPDX-License-Identifier: MIT */
/*
 * A radix sort of keys, least significant digit first, followed by one move for each symbol: a
 * browser has 300,000 symbols, and the addresses of an image differ in few digits.
 */
#include "symbol/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "symbol/symbol.h"

#define DIGIT_BITS 11
#define DIGITS     (1u << DIGIT_BITS)

struct key {
	uint64_t start;
	size_t index;
};

static bool sort_in_order(const struct symbol *items, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (items[i].start < items[i - 1].start)
			return false;
	return true;
}

static void symbol_sort_by_digit(const struct key *from, struct key *to, size_t n, unsigned shift)
{
	size_t places[DIGITS] = { 0 }, before = 0;

	for (size_t i = 0; i < n; i++)
		places[from[i].start >> shift & (DIGITS - 1)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		size_t count = places[d];

		places[d] = before;
		before += count;
	}
	for (size_t i = 0; i < n; i++)
		to[places[from[i].start >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts @keys, which are followed by space for @n more, and returns where the sorted keys are. */
static const struct key *sort_keys(struct key *keys, size_t n)
{
	struct key *from = keys, *to = keys + n;
	uint64_t differs = 0;

	for (size_t i = 1; i < n; i++)
		differs |= keys[i].start ^ keys[0].start;
	for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
		struct key *sorted = to;

		if (!(differs >> shift & (DIGITS - 1)))
			continue;
		symbol_sort_by_digit(from, to, n, shift);
		to = from;
		from = sorted;
	}
	return from;
}

void symbol_sort(struct symbol *items, size_t n)
{
	if (sort_in_order(items, n))
		return;

	_cleanup_(freep) struct key *keys = xmalloc(2 * n * sizeof(*keys));
	_cleanup_(freep) struct symbol *copy = xmalloc(n * sizeof(*copy));
	const struct key *sorted;

	for (size_t i = 0; i < n; i++)
		keys[i] = (struct key){ .start = items[i].start, .index = i };
	memcpy(copy, items, n * sizeof(*copy));
	sorted = sort_keys(keys, n);
	for (size_t i = 0; i < n; i++)
		items[i] = copy[sorted[i].index];
}
