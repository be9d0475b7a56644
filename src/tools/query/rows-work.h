/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of a table, by columns, and their orders by columns.
 *
 * An order is an array of row numbers, which is made on first use and kept. Rows with equal values
 * stay in the order of the table, which is that of time. Values compare as in SQLite: integers as
 * signed, texts by their bytes; no value comes before all others.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct rows;
struct sample_column;
struct sample_table;

/*
 * Takes over a reference to @t. @columns has, for each column of the SQL table, its index in @t, or
 * -1 if it was not read. @time is the column by which the rows are ordered, or -1.
 */
struct rows *rows_new(struct sample_table *t, int *columns, size_t n, int time);
void rows_free(struct rows *r);
DEFINE_FREEP(rows)

size_t rows_count(const struct rows *r);

/* True if column @c was read. */
bool rows_has(const struct rows *r, int c);

/* Returns the data of column @c, which must have been read. */
const struct sample_column *rows_column(const struct rows *r, int c);

/* True if the column contains texts. */
bool rows_is_text(const struct rows *r, int c);

/* Fills in the number at @row, or the code of the text. False: there is none. */
bool rows_number(const struct rows *r, int c, size_t row, int64_t *ret);

/* Returns the code of @text in a column of texts; -1: no row has it. */
int64_t rows_code(struct rows *r, int c, const char *text, size_t length);

/* True if the stored order of rows is that of column @c, with rows without a value first. */
bool rows_in_order_of(const struct rows *r, int c);

#define ORDER_TERMS_MAX 8

struct order_term {
	int column;
	bool descending;
};

/*
 * Returns all rows, sorted by @terms, of which there are at most ORDER_TERMS_MAX, the most
 * important first. @grouped: equal values need only be adjacent. The result belongs to @r.
 */
const uint32_t *rows_ordered(struct rows *r, const struct order_term *terms, size_t n,
			     bool grouped);

/*
 * Finds the part of rows_ordered() by column @c alone, grouped, whose value is @value, a number or
 * code. Returns the number of these rows; *@ret is the first.
 */
size_t rows_equal(struct rows *r, int c, int64_t value, const uint32_t **ret);

/*
 * Returns the first of @n rows whose value is at least @value. The rows must be in order of column
 * @c. @list contains their numbers; NULL: all rows in the stored order.
 */
size_t rows_bound(const struct rows *r, int c, const uint32_t *list, size_t n, int64_t value);
