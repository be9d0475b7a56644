/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A table of a snapshot as lines on a screen: rows (in a hierarchy those whose level is open) and,
 * below open rows, their call trees.
 *
 * Rows are examined when they become visible, by report_page_see(): whether they have a tree, and
 * its height. A million open rows cost nothing until then; a row that was not examined is one line.
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

/* The indentation of each level of a hierarchy, in columns. */
#define REPORT_PAGE_INDENT 3

/* The look of rows and trees. Texts are borrowed. */
struct report_look {
	struct report_tree_options tree; /* without the order; its form is also that of rows */
	bool ascii;                      /* UTF-8 is not available */
	bool full_names;                 /* do not shorten names of functions to fit the screen */
};

/* A row of the page. */
struct report_item {
	const struct report_entry *entry;
	const struct hierarchy_row *row; /* the row in a hierarchy; NULL: not a hierarchy */
	uint64_t above;                  /* the id of the row that contains it; 0: none */
	uint32_t level;
	bool is_inner; /* it contains rows */
};

/*
 * Makes the rows of table @table. @folds contains the open rows. The snapshot and the other
 * arguments are borrowed, except @look.
 */
struct report_page *report_page_new(const struct browse_snapshot *s, size_t table,
				    const struct report_look *look, struct fold_set *folds);
void report_page_free(struct report_page *p);
DEFINE_FREEP(report_page)

const struct report_table *report_page_table(const struct report_page *p);

/*
 * Return the number of rows, and the number of lines: those of examined rows, and one for each
 * other row.
 */
size_t report_page_rows(const struct report_page *p);
size_t report_page_lines(const struct report_page *p);
const struct report_item *report_page_item(const struct report_page *p, size_t item);
size_t report_page_columns(const struct report_page *p);

/* Sets the width of lines to @columns, if names are shortened. */
void report_page_set_width(struct report_page *p, unsigned columns);

/* A line: a row, or a line of its tree. */
struct report_spot {
	size_t item;
	const struct tree_line *line; /* NULL: the row itself; valid until a change of folds */
	size_t sub;                   /* the number of the line in the row */
};

/* Returns the spot at @line. Its item is the number of rows if there is none. */
struct report_spot report_page_at(const struct report_page *p, size_t line);
size_t report_page_line_of(const struct report_page *p, size_t item, size_t sub);

/* Examines a row. Lines after it may move. */
void report_page_see(struct report_page *p, size_t item);

/* Returns '+', '-' or ' ' for a row that was examined. */
char report_page_sign(const struct report_page *p, size_t item);

/* Append the heads, and a line, without the first @skip columns. Shares are coloured. */
void report_page_heads(const struct report_page *p, size_t skip, struct text *out);
void report_page_text(struct report_page *p, const struct report_spot *at, size_t skip,
		      struct text *out);

/* Appends the name of the function at a line of a tree. */
void report_page_name(struct report_page *p, const struct report_spot *at, struct text *out);

/* Returns a number that is the same for this row in other snapshots. */
uint64_t report_page_id(struct report_page *p, size_t item);

/*
 * Finds the row with @id: examines some thousands of rows from @near in both directions. Returns
 * the number of rows if it is not found.
 */
size_t report_page_find(struct report_page *p, uint64_t id, size_t near);

/* Opens or closes the item with a sign at @at. */
void report_page_toggle(struct report_page *p, const struct report_spot *at);

/* Open or close a row with everything below it. */
void report_page_toggle_deep(struct report_page *p, size_t item);
void report_page_close(struct report_page *p, size_t item);

/* Opens or closes all. */
void report_page_open_all(struct report_page *p, bool open);
