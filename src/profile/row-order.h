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

/* Fills in depth, task, frame, first and nth of @rows. @row_of tells the row of each node;
 * UINT32_MAX: none. */
void rows_find_arrivals(struct report_row *rows, const uint32_t *row_of, const struct stacks *s,
			bool callers_first);

/* Sorts the rows of @r. */
void rows_sort(struct report_rows *r);
