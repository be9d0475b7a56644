/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of a query: an aligned table, CSV (RFC 4180) or JSON.
 *
 *	query_view_begin()	for each result: its columns
 *	query_view_row()	for each row
 *	query_view_end()
 *
 * Columns of a table are as wide as the first rows need, which are kept until then. On a terminal
 * the widest columns of texts are narrowed until the table fits; where that does not do, its last
 * columns are left out, and a line below says how many.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct query_value;
struct query_view;

enum query_format {
	QUERY_TABLE,
	QUERY_CSV,
	QUERY_JSON,
};

struct query_view_options {
	enum query_format format;
	bool no_header;
	bool is_terminal; /* nothing of a text may act on it */
	unsigned columns; /* of the terminal, for a table; 0: lines have any length */
};

struct query_view *query_view_new(FILE *out, const struct query_view_options *o);
void query_view_free(struct query_view *v);
static inline void query_view_freep(struct query_view **v)
{
	query_view_free(*v);
}

void query_view_begin(struct query_view *v, const char *const *names, size_t n);
void query_view_row(struct query_view *v, const struct query_value *values);
void query_view_end(struct query_view *v);
