/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of a report one at a time, for those who show a part of them: a browser. The text is
 * that of view/report/table.h, with room for a sign in front.
 *
 *	  Children      Self  Command  Symbol
 *	+   99.97%     0.00%  load     [.] main
 *
 * Columns are as wide as the rows need that report_row_text_fit() has seen.
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

/* For the rows of @g. All is borrowed. */
struct report_row_text *report_row_text_new(const struct report_view *v,
					    const struct report_group *g);
void report_row_text_free(struct report_row_text *t);
DEFINE_FREEP(report_row_text)

/* How many levels rows have that show something; 0: they are no hierarchy. */
size_t report_row_text_levels(const struct report_row_text *t);

/* How many columns there are that report_row_text_add() can leave out. */
size_t report_row_text_columns(const struct report_row_text *t);

/*
 * Of a hierarchy: the row whose children are those of @level within @row, which is of the level
 * before it.
 */
const struct hierarchy_row *report_row_text_parent(const struct report_row_text *t, size_t level,
						   const struct hierarchy_row *row);

/* Makes the columns as wide as @e needs, an entry of @level. */
void report_row_text_fit(struct report_row_text *t, const struct report_entry *e, size_t level);

/* Append the heads, and a row with @sign, without the first @skip columns. */
void report_row_text_heads(const struct report_row_text *t, size_t skip, struct text *out);
void report_row_text_add(struct report_row_text *t, const struct report_entry *e, size_t level,
			 char sign, size_t skip, struct text *out);

/* Appends what tells the row from others of its level: the values of its keys. */
void report_row_text_keys(struct report_row_text *t, const struct report_entry *e, size_t level,
			  struct text *out);
