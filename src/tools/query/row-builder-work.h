/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Builds columns row by row, for tables that do not consist of samples.
 *
 *	row_add_number(b, 0, 42);
 *	row_add_text(b, 1, "main");
 *	row_end(b);
 *
 * A cell to which nothing is added has no value.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct query_table;
struct row_builder;
struct sample_table;

/* Begins a table with all columns of @t. */
struct row_builder *row_builder_new(const struct query_table *t);
void row_builder_free(struct row_builder *b);
DEFINE_FREEP(row_builder)

void row_add_number(struct row_builder *b, unsigned column, int64_t value);

/* Adds a text; NULL: no value. @text is copied; bytes that are not UTF-8 become \xNN. */
void row_add_text(struct row_builder *b, unsigned column, const char *text);
void row_end(struct row_builder *b);

/* Finishes the table. The caller owns one reference. */
struct sample_table *row_builder_finish(struct row_builder *b);
