/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The columns of a report, figures and keys, as columns of a table (view/table.h) whose rows are
 * the entries of a group. Shared by view/report/ and tools/diff/.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "view/table.h"

struct cell_source;
struct report_columns;
struct report_entry;
struct report_group;
struct report_view;

struct report_cells {
	struct table table;
	/* private: */
	const struct report_view *view;
	const struct report_group *group;
	struct column *columns;
	struct cell_source *sources; /* by column */
	struct value *figures;       /* scratch: by member of the group */
	size_t *starts;              /* in JSON: the first column of each set, and the end */
	struct arena arena;          /* owns the names in JSON */
	size_t name_room;            /* the maximum for each name's column; 0: unlimited */
	size_t image_room;           /* the maximum for each image's column; 0: unlimited */
};

/*
 * Lays out @columns for @g in text, with the widths of -w if there are any; @widths may be NULL.
 * Everything is borrowed, and @ret must not be moved, because its table refers to it.
 */
void report_cells_init(struct report_cells *ret, const struct report_view *v,
		       const struct report_group *g, const struct report_columns *columns,
		       const char *widths);

/*
 * Does the same for JSON, with @n sets of columns: each part of a key is a member. Names are
 * unique: "pid", "pid#2". A part that has the name of a key with a column of its own is omitted.
 */
void report_cells_init_json(struct report_cells *ret, const struct report_view *v,
			    const struct report_group *g, const struct report_columns *const *sets,
			    size_t n);
void report_cells_done(struct report_cells *c);

/*
 * Fits lines to a terminal: makes columns of names narrower if the table, after @before columns, is
 * too wide, and those of images if names had too little space. It must be called after rows were
 * fitted.
 */
void report_cells_limit(struct report_cells *c, size_t before);

/* Appends the value of @e in column @i as plain text of any width, and nothing for a figure. */
void report_cells_add_key(const struct report_cells *c, size_t i, const struct report_entry *e,
			  struct text *out);

/* Returns the columns of one of these sets. The table belongs to @c. */
struct table report_cells_set(const struct report_cells *c, size_t i);

/* Returns the colour of a share of @percent; "": none. "\033[m" ends it. */
const char *report_share_colour(const struct report_view *v, double percent);
