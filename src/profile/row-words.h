/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What rows are sorted by, as a few numbers beside each of them.
 *
 * Of a hundred thousand rows, hardly any two have to be compared by the texts of their keys, which
 * lie far apart in memory: weights are numbers, values of keys get their rank among all there are,
 * and of names the first letters are packed as a number. The words of two rows are compared one
 * after the other; the smaller one stands above.
 */
#include <stddef.h>
#include <stdint.h>

#include "profile/report.h"

#define ROW_WORDS 3

struct sorted_row {
	uint64_t words[ROW_WORDS];
	const struct report_row *row;
};

/*
 * Makes the rows of @r the items of @sorted, with their words. Returns how many parts of what they
 * are sorted by the words decide; they may decide some more of the part after these.
 */
typedef size_t row_words_fn(const struct report_rows *r, struct sorted_row *sorted);

/* For the order of the report's options. */
row_words_fn row_words_by_order;

/* For what tells rows apart, where that is an order: see profile/row-order.h. */
row_words_fn row_words_by_identity;

/* A number for a part of an order that is no key: the smaller, the heavier @row is. */
uint64_t row_lightness(const struct row_order *by, const struct report_row *row);

static inline int row_words_compare(const struct sorted_row *a, const struct sorted_row *b)
{
	for (size_t i = 0; i < ROW_WORDS; i++)
		if (a->words[i] != b->words[i])
			return a->words[i] < b->words[i] ? -1 : 1;
	return 0;
}
