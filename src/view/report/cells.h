/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The cells of a report's rows, and what stands above them. Private to view/report-*.
 *
 * A cell is as wide as its column, which is as wide as what it shows in any row of the block. Text
 * is gathered in the pen and goes to the stream in large pieces.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

struct figure;
struct report_column;
struct report_columns;
struct report_entry;
struct report_group;
struct report_tree;
struct report_view;

struct cell_layout {
	const struct report_column *column;
	size_t asked; /* the width that -w says; 0: none */
	size_t width;
};

struct cells {
	struct cell_layout *items;
	size_t n;
};

struct report_pen {
	const struct report_view *view;
	const struct report_group *group;
	struct report_tree *tree; /* of the first event; NULL: no call trees */
	FILE *file;
	struct text out;
	struct text cell, escaped; /* scratch */
};

void report_pen_done(struct report_pen *p);

/* Hands what was written to the stream, if it is a large piece or @all. -errno if that fails. */
int report_pen_flush(struct report_pen *p, bool all);

/*
 * Lays out @columns for the pen's group, with the widths of -w if there are any. Those of keys are
 * else but those of their titles: report_cells_fit() makes room for a row.
 */
void report_cells_make(const struct report_pen *p, const struct report_columns *columns,
		       const char *widths, struct cells *ret);
void report_cells_done(struct cells *c);
void report_cells_fit(struct report_pen *p, struct cells *c, const struct report_entry *e);

/* Cells from left to right; the last is filled up if something @follows. */
void report_cells_print(struct report_pen *p, const struct cells *c, const struct report_entry *e,
			bool follows);
void report_cells_print_titles(struct report_pen *p, const struct cells *c);
void report_cells_print_dots(struct report_pen *p, const struct cells *c);

/* How wide all are together, with gaps of @gap columns. */
size_t report_cells_width(const struct cells *c, size_t gap);

/* The colour that a share of @percent has; "": none. "\033[m" ends it. */
const char *report_share_colour(const struct report_view *v, double percent);

/* What stands between two columns. */
const char *report_gap(const struct report_view *v);

/* The call tree of @e, if there is one. */
void report_entry_print_tree(struct report_pen *p, const struct report_entry *e);

/* The text of the key @c in @e; good until the next is made. */
struct text *report_key_text(struct report_pen *p, const struct report_column *c,
			     const struct report_entry *e);

/* Whether @f means anything: callers weigh nothing unless they have rows. */
bool report_figure_is_known(const struct report_pen *p, const struct figure *f);

/* What @period is of all samples of an event of the group, in percent. */
double report_percent(const struct report_pen *p, size_t member, uint64_t period);

/* What @e, or all of its callees with it, is of all samples, in percent: of the first event. */
double report_entry_percent(const struct report_pen *p, const struct report_entry *e);
