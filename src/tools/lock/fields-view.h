/* SPDX-License-Identifier: MIT */
#pragma once
/* The numeric columns that the tables of `perf lock` share, and the trailer below them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lock/contention-model.h"

struct text;

/* The columns in their order; each occurs once. */
struct lock_columns {
	enum lock_field items[LOCK_FIELDS];
	size_t n;
};

/* Adds @field, unless it is there already. */
void lock_columns_add(struct lock_columns *c, enum lock_field field);

/* Returns the name of @field in -k and -F: "wait_total". */
const char *lock_field_name(enum lock_field field);

/* Appends the headings, right-aligned, each followed by a blank. */
void lock_columns_add_heads(const struct lock_columns *c, struct text *t);

/* Appends the values of @row below them. */
void lock_columns_add_values(const struct lock_columns *c, const struct lock_row *row,
			     struct text *t);

/* Does the same for CSV: "contended, total wait, " and "5, 1000, ". */
void lock_columns_add_csv_heads(const struct lock_columns *c, const char *separator,
				struct text *t);
void lock_columns_add_csv_values(const struct lock_columns *c, const struct lock_row *row,
				 const char *separator, struct text *t);

/* The numbers of shown rows, for the trailer. */
struct lock_shown {
	uint64_t rows, bad_rows;
};

/* True if there were events that cannot follow the previous ones. */
bool lock_failures_any(const struct lock_failures *f);

/* Appends the number of rows that lack events, and the kinds of events that revealed it. */
void lock_trailer_add(const struct lock_shown *shown, const struct lock_failures *f,
		      struct text *t);
