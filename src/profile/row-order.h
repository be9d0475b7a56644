/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The order of a report's rows.
 *
 * Weights decide, the largest first, then the keys. Rows of callers often have the same total.
 * Among those that belong to one task, the one with the deeper (callers first) or flatter (callees
 * first) stacks stands above, so that they read like a stack. That rule does not apply to rows of
 * different tasks, so it is no order: A may stand above B, B above C, and C above A. Linux's perf
 * puts rows into a red-black tree nevertheless. We do so too, in the same sequence, to print the
 * same.
 *
 * If all of these are equal, rows keep the order of the values that tell them apart. That is no
 * order either if functions are mixed with nameless addresses of other images: then the row that
 * arrived first comes first.
 *
 * The task of a row is that of its first sample; its depth is the largest number of frames of its
 * call tree.
 */
#include <stdint.h>

#include "profile/report.h"

/* The first arrival at a node and everything below it. */
struct node_arrival {
	uint32_t depth;   /* number of frames from the root to the node */
	uint32_t deepest; /* the same for the deepest sample */
	uint32_t task;    /* the task of the first sample */
	uint64_t first;   /* the time of the first sample */
};

/* Returns the arrivals of all nodes of @s; the caller frees them. */
struct node_arrival *nodes_find_arrivals(const struct stacks *s);

/*
 * Fills in depth, task, frame, first and nth of @rows from the arrivals of the @nodes. @row_of
 * gives the row of each node; UINT32_MAX: none. With @children a row also arrives with the first
 * sample in a function that it called.
 */
void rows_find_arrivals(struct report_row *rows, const uint32_t *row_of, const struct stacks *s,
			const struct node_arrival *nodes, bool children, bool callers_first);

/* Sorts the rows of @r. */
void rows_sort(struct report_rows *r);
