/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A table of a snapshot as lines on a screen: rows, of a hierarchy those whose level is open, and
 * below open rows their call trees.
 *
 * Rows are looked at when they come into sight, report_page_see(): whether they have a tree, and
 * how high it is. So a million rows that are all open cost nothing until then; a row that nobody
 * has seen is one line.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "view/report/tree-lines.h"
#include "view/report/tree.h"

struct browse_snapshot;
struct fold_set;
struct hierarchy_row;
struct report_entry;
struct report_page;
struct report_table;
struct text;

/* Columns that each level of a hierarchy is further to the right. */
#define REPORT_PAGE_INDENT 3

/* How rows and trees look. Texts are borrowed. */
struct report_look {
	struct report_tree_options tree; /* but for the order */
	const char *widths;
	bool times_in_ns;
	bool ascii;      /* there is no UTF-8 */
	bool full_names; /* names of functions are not shortened to fit the screen */
};

/* A row. */
struct report_item {
	const struct report_entry *entry;
	const struct hierarchy_row *row; /* of a hierarchy; NULL: there is none */
	uint64_t above;                  /* the id of the row that it is in; 0: none */
	uint32_t level;
	bool is_inner; /* there are rows in it */
};

/*
 * The rows of table @table. @folds says what is open; the snapshot and the rest are borrowed as
 * well, but for @look.
 */
struct report_page *report_page_new(const struct browse_snapshot *s, size_t table,
				    const struct report_look *look, struct fold_set *folds);
void report_page_free(struct report_page *p);
DEFINE_FREEP(report_page)

const struct report_table *report_page_table(const struct report_page *p);

/* Rows, and lines of those that have been seen with those that have not. */
size_t report_page_rows(const struct report_page *p);
size_t report_page_lines(const struct report_page *p);
const struct report_item *report_page_item(const struct report_page *p, size_t item);
size_t report_page_columns(const struct report_page *p);

/* Lines fit so many columns from now on, if names are shortened. */
void report_page_set_width(struct report_page *p, unsigned columns);

/* A line: a row, or a line of its tree. */
struct report_spot {
	size_t item;
	const struct tree_line *line; /* NULL: the row itself; good until something is folded */
	size_t sub;                   /* the number of the line within the row */
};

/* What is at @line; item is the number of rows if there is nothing. */
struct report_spot report_page_at(const struct report_page *p, size_t line);
size_t report_page_line_of(const struct report_page *p, size_t item, size_t sub);

/* Looks at a row. Lines behind it move. */
void report_page_see(struct report_page *p, size_t item);

/* '+', '-' or ' ' of a row that was seen. */
char report_page_sign(const struct report_page *p, size_t item);

/* Append the heads, and a line, without the first @skip columns. Shares have colours. */
void report_page_heads(const struct report_page *p, size_t skip, struct text *out);
void report_page_text(struct report_page *p, const struct report_spot *at, size_t skip,
		      struct text *out);

/* Appends the name of the function at a line of a tree. */
void report_page_name(struct report_page *p, const struct report_spot *at, struct text *out);

/* A number that the same row has in other snapshots. */
uint64_t report_page_id(struct report_page *p, size_t item);

/*
 * The row with @id: looks from @near on, both ways, at some thousands of rows. The number of rows:
 * it is not there.
 */
size_t report_page_find(struct report_page *p, uint64_t id, size_t near);

/* Opens or closes what has a sign at @at. */
void report_page_toggle(struct report_page *p, const struct report_spot *at);

/* Opens or closes a row with all that is below it. */
void report_page_toggle_deep(struct report_page *p, size_t item);
void report_page_close(struct report_page *p, size_t item);

/* Opens or closes all. */
void report_page_open_all(struct report_page *p, bool open);
