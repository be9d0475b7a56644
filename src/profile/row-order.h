/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The order of a report's rows.
 *
 * Weights decide, the largest first, then the keys. Rows of callers often have the same total; of
 * those that belong to one task, the one with the deeper (callers first) or flatter (callees first)
 * stacks stands above, so that they read like a stack. That rule knows nothing of rows of different
 * tasks, and so is no order at all: A may stand above B, B above C, and C above A. Linux's perf
 * puts rows into a red-black tree all the same, and so do we, in the same sequence, to print the
 * same.
 *
 * Where all are equal, rows keep the order of what tells them apart. That is no order either where
 * functions are mixed with nameless addresses of other images: then what arrived first counts.
 *
 * What a row's first sample belonged to is its task; its depth, the most frames of its call tree.
 */
#include <stdint.h>

#include "profile/report.h"

/* Of a node with all below it. */
struct node_arrival {
	uint32_t depth;   /* frames from the root to it */
	uint32_t deepest; /* the same of the deepest sample */
	uint32_t task;    /* whose the first sample was */
	uint64_t first;   /* and when it came */
};

/* Of all nodes of @s; the caller frees them. */
struct node_arrival *nodes_find_arrivals(const struct stacks *s);

/*
 * Fills in depth, task, frame, first and nth of @rows from those of the @nodes. @row_of tells the
 * row of each node; UINT32_MAX: none. With @children a row comes with the first sample in what it
 * called, too.
 */
void rows_find_arrivals(struct report_row *rows, const uint32_t *row_of, const struct stacks *s,
			const struct node_arrival *nodes, bool children, bool callers_first);

/* Sorts the rows of @r. */
void rows_sort(struct report_rows *r);
