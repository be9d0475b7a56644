/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The sort criteria of rows, as a few numbers beside each row.
 *
 * Among a hundred thousand rows, hardly any two have to be compared by the texts of their keys,
 * which are far apart in memory: weights are numbers, values of keys get their rank among all
 * values, and the first letters of names are packed as a number. The words of two rows are compared
 * one after the other; the smaller one stands above.
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
 * Makes the rows of @r the items of @sorted, with their words. Returns how many criteria the words
 * decide completely; they may decide part of the next criterion too.
 */
typedef size_t row_words_fn(const struct report_rows *r, struct sorted_row *sorted);

/* Makes the words for the order of the report's options. */
row_words_fn row_words_by_order;

/*
 * Makes the words for the values that tell rows apart, if these define an order: see
 * profile/row-order.h.
 */
row_words_fn row_words_by_identity;

/* Returns a number for a criterion that is no key: the heavier @row is, the smaller the number. */
uint64_t row_lightness(const struct row_order *by, const struct report_row *row);

static inline int row_words_compare(const struct sorted_row *a, const struct sorted_row *b)
{
	for (size_t i = 0; i < ROW_WORDS; i++)
		if (a->words[i] != b->words[i])
			return a->words[i] < b->words[i] ? -1 : 1;
	return 0;
}
