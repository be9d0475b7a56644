/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The call tree below a row of a report, as text: the characters of Linux's perf, byte for byte.
 *
 * Graphs draw branches with their weights in percent of everything, fractal ones in percent of the
 * branch they part from, with a last line for what is not shown; flat and folded ones list stacks.
 * Everything is all samples, those too that filters leave out, whatever the rows' percentages are
 * of.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"

struct frame_order;
struct report_row;
struct report_rows;
struct text;

enum report_tree_print {
	REPORT_TREE_GRAPH,
	REPORT_TREE_FRACTAL,
	REPORT_TREE_FLAT,
	REPORT_TREE_FOLDED,
};

enum report_tree_value {
	REPORT_TREE_PERCENT,
	REPORT_TREE_PERIOD,
	REPORT_TREE_COUNT,
};

struct report_tree_options {
	enum report_tree_print print;
	enum report_tree_value value;
	const struct frame_order *order; /* of all frames */
	bool callers_first;
	double threshold;      /* in percent; branches below it are left out */
	bool of_shown;         /* that is of what filters leave */
	uint64_t limit;        /* branches at one place, or stacks of a list; 0: all */
	bool without_first;    /* a tree's first frame is not shown: the row says it already */
	const char *separator; /* of folded frames; NULL: ";" */
	bool lines;            /* where in the source frames are */
	bool offsets;          /* or else in their function, if there is no file to tell */
	bool images;           /* the object behind each name */
	bool full_paths;       /* with the whole path of the source file */
	bool notes;            /* what is known of branches that are part of the stacks */
	bool colour;
	bool escape;      /* the output is a terminal: names must not act on it */
	unsigned columns; /* as in struct report_view (view/report/table.h) */
	const char *dots;
};

struct report_tree;

/* For the rows of an event, which outlive it. */
struct report_tree *report_tree_new(const struct report_tree_options *o,
				    const struct report_rows *rows);
void report_tree_free(struct report_tree *t);
DEFINE_FREEP(report_tree)

/*
 * From now on the period @whole is everything, for rows that are parts of something smaller than
 * all samples.
 */
void report_tree_set_whole(struct report_tree *t, uint64_t whole);

/* From now on lines have so many columns, if names are shortened at all. */
void report_tree_set_columns(struct report_tree *t, unsigned columns);

/* Appends the tree of @row, and the empty line behind it; nothing if there is none, or no row. */
void report_tree_print(struct report_tree *t, const struct report_row *row, struct text *out);
