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
