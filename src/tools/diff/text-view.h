/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The table of a comparison as text: columns of the sides, which each of the forms defines,
 * followed by the keys of the rows. Private to tools/diff/.
 */
#include <stdio.h>

#include "profile/report-group.h"
#include "profile/report-plan.h"
#include "view/report/cells.h"
#include "view/report/table.h"

struct diff;

struct diff_view {
	const struct report_plan *plan; /* the baseline's: its keys are the last columns */
	const char *const *files;       /* one for each side */
	struct report_form form;
	bool narrow_images; /* as in struct report_view */
	bool periods;       /* -p */
	bool formulas;      /* -F */
	bool lists_files;   /* list the sides, even if there are only two */
	bool ascii;         /* print +- instead of a sign that cannot be displayed */
};

struct diff_text {
	struct text out; /* the output, until it is flushed */
	struct report_view view;
	/* private: */
	struct table sides;
	struct report_cells keys;
	struct report_group group;
	struct report_columns columns;
	struct table_scratch scratch;
	FILE *file;
};

/* The columns of the sides. column.index is the side; the columns own their titles. */
struct diff_columns {
	struct column *items;
	size_t n, room;
	bool numbered;     /* titles are followed by the number of the side */
	const void *model; /* the model of their table */
	bool escape;       /* texts are escaped, whatever the output is */
};

/* Appends a column like @like, at least as wide as its title. */
void diff_columns_add(struct diff_columns *c, struct column like);
void diff_columns_done(struct diff_columns *c);

/*
 * Lays out @columns, which are borrowed, and the keys of @v's plan for the rows of @d. @t must not
 * be moved.
 */
void diff_text_init(struct diff_text *t, FILE *file, const struct diff_view *v,
		    const struct diff *d, const struct diff_columns *columns);
void diff_text_done(struct diff_text *t);

/* Append the lines of titles, and the line of a row: @row is for the columns, @e has the keys. */
void diff_text_add_heads(struct diff_text *t);
void diff_text_add_row(struct diff_text *t, const void *row, const struct report_entry *e);

/* Writes large pieces, or @all, to the stream. Returns -errno if that fails. */
int diff_text_flush(struct diff_text *t, bool all);

/* Returns the keys among the columns of @plan; the items are the caller's. */
struct report_columns diff_key_columns(const struct report_plan *plan);
