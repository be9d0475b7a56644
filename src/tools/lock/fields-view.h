/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Columns with numbers that the tables of `perf lock` share, and the trailer below them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lock/contention-model.h"

struct text;

/* Which columns, and in which order; each once. */
struct lock_columns {
	enum lock_field items[LOCK_FIELDS];
	size_t n;
};

/* Adds @field, unless it is there. */
void lock_columns_add(struct lock_columns *c, enum lock_field field);

/* Its name in -k and -F: "wait_total". */
const char *lock_field_name(enum lock_field field);

/* Appends the headings, right-aligned, with a blank behind each. */
void lock_columns_add_heads(const struct lock_columns *c, struct text *t);

/* Appends the values of @row below them. */
void lock_columns_add_values(const struct lock_columns *c, const struct lock_row *row,
			     struct text *t);

/* The same for CSV: "contended, total wait, " and "5, 1000, ". */
void lock_columns_add_csv_heads(const struct lock_columns *c, const char *separator,
				struct text *t);
void lock_columns_add_csv_values(const struct lock_columns *c, const struct lock_row *row,
				 const char *separator, struct text *t);

/* What was shown, for the trailer. */
struct lock_shown {
	uint64_t rows, bad_rows;
};

/* Did events come that cannot follow the ones before? */
bool lock_failures_any(const struct lock_failures *f);

/* Appends how many rows lack events, and which events they were found by. */
void lock_trailer_add(const struct lock_shown *shown, const struct lock_failures *f,
		      struct text *t);
