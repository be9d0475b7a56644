/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the call tree below a row of a report as text: the characters of Linux's perf, byte for
 * byte.
 *
 * Graphs draw branches with their weights in percent of everything, fractal ones in percent of
 * their parent branch, with a last line for the part that is not shown; flat and folded ones list
 * stacks. "Everything" means all samples, including those that filters reject, whatever the base of
 * the rows' percentages is.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "view/report/report-view.h"

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
	const struct frame_order *order; /* the order of all frames */
	double threshold;                /* in percent; smaller branches are omitted */
	uint64_t limit;                  /* branches at one place, or stacks of a list; 0: all */
	bool without_first;      /* omit a tree's first frame, which the row shows already */
	bool lines;              /* source places of frames */
	bool offsets;            /* else their places in the function, if no file is known */
	bool images;             /* the object after each name */
	bool full_paths;         /* with the whole path of the source file */
	bool notes;              /* data about branches that are part of the stacks */
	struct report_form form; /* its separator is that of folded frames; NULL: ";" */
};

struct report_tree;

/* For the rows of an event, which must outlive it. */
struct report_tree *report_tree_new(const struct report_tree_options *o,
				    const struct report_rows *rows);
void report_tree_free(struct report_tree *t);
DEFINE_FREEP(report_tree)

/*
 * Sets the period that counts as everything to @whole, for rows that are parts of something smaller
 * than all samples.
 */
void report_tree_set_whole(struct report_tree *t, uint64_t whole);

/* Sets the width of lines to @columns, if names are shortened at all. */
void report_tree_set_columns(struct report_tree *t, unsigned columns);

/*
 * Appends the tree of @row, and the empty line after it. Appends nothing if there is no tree, or no
 * row.
 */
void report_tree_print(struct report_tree *t, const struct report_row *row, struct text *out);
