/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An interval of `perf stat -I` as a table that replaces the one before on a terminal: the count of
 * the interval, how much that is in a second, and a spark line of the intervals before it.
 *
 *	After 12.003 seconds, of the last 1000 ms:
 *
 *	 event                         count  per second  intervals                metric
 *	 cpu-clock             2,001.12 msec  2.0 K/s     ▇▇▇██▇▇▇▇▇  1.999 CPUs utilized
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/stat/stat-view.h"

struct history;

struct stat_live {
	struct history *past;
	uint64_t before_ns; /* when the interval before ended */
};

struct stat_live_style {
	unsigned columns; /* no line is longer, names are cut */
	bool ascii;
};

/* Prints the interval @t. @l begins with a new history and nothing else. */
void stat_live_print(struct stat_live *l, const struct stat_view *v, const struct stat_table *t,
		     const struct stat_live_style *style, FILE *out);

/*
 * A spark line: numbers as a row of small bars, ▁▂▃▄▅▆▇█, the newest at its end.
 */

struct text;

/*
 * Appends a line of @width columns for the last of @n values, the newest in the last column. The
 * scale goes from 0, or the least value if that is below, to the greatest. What is no number is a
 * blank. @ascii: characters from '_' to '#' in place of bars.
 */
void spark_add(struct text *t, const double *values, size_t n, size_t width, bool ascii);
