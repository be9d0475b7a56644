/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the rows of a query: as an aligned table, CSV (RFC 4180) or JSON.
 *
 *	query_view_begin()	for each result: its columns
 *	query_view_row()	for each row
 *	query_view_end()
 *
 * Columns of a table are as wide as the first rows need; these rows are kept until the widths are
 * known. On a terminal the widest text columns are narrowed until the table fits. If that is not
 * enough, the last columns are omitted, and a line below reports their number.
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
	bool is_terminal; /* texts must not control the terminal */
	unsigned columns; /* the terminal's width, for a table; 0: unlimited lines */
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
