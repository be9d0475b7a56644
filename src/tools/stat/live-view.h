/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints an interval of `perf stat -I` as a table that replaces the previous one on a terminal: the
 * count of the interval, the rate per second, and a spark line of the previous intervals.
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
	uint64_t before_ns; /* the end of the previous interval */
};

struct stat_live_style {
	unsigned columns; /* the width of lines; names are cut to fit */
	bool ascii;
};

/* Prints the interval @t. Initially @l contains only a new history. */
void stat_live_print(struct stat_live *l, const struct stat_view *v, const struct stat_table *t,
		     const struct stat_live_style *style, FILE *out);

/*
 * A spark line: numbers as a row of small bars, ▁▂▃▄▅▆▇█, the newest at its end.
 */

struct text;

/*
 * Appends a line of @width columns for the last of @n values, the newest in the last column. The
 * scale goes from 0, or the least value if that is negative, to the greatest one. A value that is
 * not a number is a blank. @ascii: characters from '_' to '#' in place of bars.
 */
void spark_add(struct text *t, const double *values, size_t n, size_t width, bool ascii);
