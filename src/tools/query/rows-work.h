/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of a table, by columns, with the orders in which they are asked for.
 *
 * An order is an array of row numbers, made when it is first wanted and kept. Rows with equal
 * values stay in the order of the table, which is that of time. Values compare as SQLite does it:
 * integers as signed, texts by their bytes, and none before all others.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct rows;
struct sample_column;
struct sample_table;

/* Takes over a reference to @t. @columns: for each column of the SQL table, its index in @t; -1:
 * it was not read. @time: the column that the rows are in order of, or -1. */
struct rows *rows_new(struct sample_table *t, int *columns, size_t n, int time);
void rows_free(struct rows *r);
DEFINE_FREEP(rows)

size_t rows_count(const struct rows *r);

/* Was column @c read? */
bool rows_has(const struct rows *r, int c);

/* Its data; it was read. */
const struct sample_column *rows_column(const struct rows *r, int c);

/* Is it one of texts? */
bool rows_is_text(const struct rows *r, int c);

/* The number at @row, or the code of the text; false: there is none. */
bool rows_number(const struct rows *r, int c, size_t row, int64_t *ret);

/* The code of @text in a column of texts; -1: no row has it. */
int64_t rows_code(struct rows *r, int c, const char *text, size_t length);

/* Are the rows in order of column @c as they are, those without a value first? */
bool rows_in_order_of(const struct rows *r, int c);

#define ORDER_TERMS_MAX 8

struct order_term {
	int column;
	bool descending;
};

/*
 * All rows by @terms, at most ORDER_TERMS_MAX, the first of which counts most. @grouped: equal
 * values need only stand together. The result belongs to @r.
 */
const uint32_t *rows_ordered(struct rows *r, const struct order_term *terms, size_t n,
			     bool grouped);

/*
 * The part of rows_ordered() by column @c alone, grouped, whose value is @value, a number or code.
 * Returns how many there are; *@ret: the first.
 */
size_t rows_equal(struct rows *r, int c, int64_t value, const uint32_t **ret);

/*
 * Of @n rows that are in order of column @c (@list: their numbers; NULL: all, as they are), the
 * first whose value is at least @value.
 */
size_t rows_bound(const struct rows *r, int c, const uint32_t *list, size_t n, int64_t value);
