/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of `perf stat -I` on a terminal, as texts: what tools/stat/live-view.c lays out in
 * columns.
 */
#include <stdbool.h>
#include <stddef.h>

#include "count/stat.h"

struct history;
struct stat_style;

/* A line: each text is escaped, and NULL where the line has nothing there. */
struct live_row {
	char *unit;   /* "CPU0", a cgroup */
	char *name;   /* the event, or with --metric-only the metric */
	char *count;  /* "1,234 msec", "<not counted>" */
	char *rate;   /* "12.3 M/s" */
	char *metric; /* "1.50 insn per cycle" */
	bool has_past;
	size_t past; /* its handle in the history */
};

struct live_rows {
	struct live_row *items;
	size_t n, room;
};

/*
 * Makes the rows of @t, an interval of @seconds, and adds their values to @past. Release with
 * live_rows_done().
 */
void live_rows_make(struct live_rows *rows, const struct stat_table *t,
		    const struct stat_style *style, double seconds, struct history *past);
void live_rows_done(struct live_rows *rows);
