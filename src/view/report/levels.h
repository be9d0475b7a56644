/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the rows of a hierarchy as text: figures in front, keys indented by their level. Private
 * to view/report/.
 */
#include <stdio.h>

struct report_block;
struct report_entry;
struct report_view;
struct table;
struct table_scratch;
struct text;

/* The indentation of each level, in columns. */
#define REPORT_LEVEL_INDENT 3

/*
 * Appends the cells of @e in @t, close to the text in front of them, whatever their alignment is.
 */
void report_level_keys_add(const struct table *t, const struct report_entry *e,
			   struct table_scratch *scratch, struct text *out);

/* Prints heads and rows of the group of @b. Returns a negative errno if @out fails. */
int report_levels_print(FILE *out, const struct report_view *v, const struct report_block *b);
