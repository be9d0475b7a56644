/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The columns of a report, figures and keys, as those of a table (view/table.h) whose rows are the
 * entries of a group. Private to view/report/ and view/diff/.
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
	size_t *starts;              /* in JSON: where the columns of each set begin, and the end */
	struct arena arena;          /* of names in JSON */
	size_t name_room;            /* of each name's column; 0: not limited */
	size_t image_room;           /* of each image's column; 0: not limited */
};

/*
 * Lays out @columns for @g in text, with the widths of -w if there are any; @widths may be NULL.
 * All is borrowed, and @ret stays where it is: its table refers to it.
 */
void report_cells_init(struct report_cells *ret, const struct report_view *v,
		       const struct report_group *g, const struct report_columns *columns,
		       const char *widths);

/*
 * The same for JSON, of @n sets of columns: each part of a key is a member. Names are unique:
 * "pid", "pid#2". A part that is called like a key which is shown itself is left out.
 */
void report_cells_init_json(struct report_cells *ret, const struct report_view *v,
			    const struct report_group *g, const struct report_columns *const *sets,
			    size_t n);
void report_cells_done(struct report_cells *c);

/*
 * Where lines have to fit a terminal: makes columns of names narrower if the table, behind @before
 * columns, is too wide, and those of images if names had too little room. After rows were fitted.
 */
void report_cells_limit(struct report_cells *c, size_t before);

/* Appends the value that @e has of column @i as plain text, however wide; nothing of a figure. */
void report_cells_add_key(const struct report_cells *c, size_t i, const struct report_entry *e,
			  struct text *out);

/* The columns of one of these sets. The table is the cells' own. */
struct table report_cells_set(const struct report_cells *c, size_t i);

/* The colour that a share of @percent has; "": none. "\033[m" ends it. */
const char *report_share_colour(const struct report_view *v, double percent);
