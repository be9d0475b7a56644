/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of a report one at a time, for users that show only a part of them: a browser. The text
 * is that of view/report/table.h, with space for a sign in front.
 *
 *	  Children      Self  Command  Symbol
 *	+   99.97%     0.00%  load     [.] main
 *
 * Columns are as wide as necessary for the rows passed to report_row_text_fit().
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct hierarchy_row;
struct report_entry;
struct report_group;
struct report_row_text;
struct report_view;
struct text;

/* For the rows of @g. Everything is borrowed. */
struct report_row_text *report_row_text_new(const struct report_view *v,
					    const struct report_group *g);
void report_row_text_free(struct report_row_text *t);
DEFINE_FREEP(report_row_text)

/* Returns the number of levels with visible contents; 0: not a hierarchy. */
size_t report_row_text_levels(const struct report_row_text *t);

/* Returns the number of columns that report_row_text_add() can skip. */
size_t report_row_text_columns(const struct report_row_text *t);

/*
 * For a hierarchy: returns the row whose children are those of @level within @row, which belongs to
 * the previous level.
 */
const struct hierarchy_row *report_row_text_parent(const struct report_row_text *t, size_t level,
						   const struct hierarchy_row *row);

/* Widens the columns for @e, an entry of @level. */
void report_row_text_fit(struct report_row_text *t, const struct report_entry *e, size_t level);

/* Append the heads, and a row with @sign, without the first @skip columns. */
void report_row_text_heads(const struct report_row_text *t, size_t skip, struct text *out);
void report_row_text_add(struct report_row_text *t, const struct report_entry *e, size_t level,
			 char sign, size_t skip, struct text *out);

/* Appends the text that distinguishes the row from others of its level: the values of its keys. */
void report_row_text_keys(struct report_row_text *t, const struct report_entry *e, size_t level,
			  struct text *out);
