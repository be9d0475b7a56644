/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How the tables of `perf stat` (count/stat.h) are shown: what all its formats have in common.
 *
 * A format is one function, called for each table: stat_text_print(), stat_csv_print() or
 * stat_json_print(). The caller owns the view, fills in style and title, and hands the same one to
 * every call, because intervals share headings. What it points to is borrowed.
 */
#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "count/stat.h"

struct stat_style {
	bool big_num;          /* group digits as the locale does; text only */
	bool colour;           /* text only */
	unsigned columns;      /* of the terminal that lines have to fit, or 0; text only */
	bool hide_zeros;       /* no rows of events that counted nothing */
	bool metric_only;      /* a line of metrics for each unit, and no counts */
	bool clear;            /* the screen before each interval; text only */
	bool null_run;         /* nothing was to be counted: only the time; text only */
	bool list_runs;        /* the time of each run before their mean; text only */
	bool csv_summary;      /* mark the rows of a summary; CSV only */
	bool counters;         /* the key of perf 7.2 for how many were added up; JSON only */
	const char *separator; /* of CSV */
};

enum stat_target {
	STAT_TARGET_COMMAND,
	STAT_TARGET_PROCESSES,
	STAT_TARGET_THREADS,
	STAT_TARGET_USER,
	STAT_TARGET_CPUS,
	STAT_TARGET_SYSTEM,
	STAT_TARGET_BPF,
};

/* What was measured. */
struct stat_title {
	enum stat_target target;
	const char *text; /* the command's words, or the list as typed; NULL for the system */
};

struct stat_view {
	struct stat_style style;
	struct stat_title title;
	unsigned intervals; /* printed so far; begins at 0 and belongs to the view */
};

typedef void stat_print_fn(struct stat_view *v, const struct stat_table *t, FILE *out);

/* Whether @t is shown as one of several intervals: with its time, and without a frame. */
bool stat_is_interval(const struct stat_table *t);

/* Whether the row of an event that counted nothing is left out. */
bool stat_row_is_hidden(const struct stat_style *s, const struct stat_row *r);

/* Seconds since the start: "     0.100000000". */
void stat_add_time(struct text *t, uint64_t ns, int width);

/* "<not counted>" and its like, or NULL for what was counted. */
const char *stat_state_text(enum stat_state state);

/* How much of the time that it was enabled the event ran, in percent; 100 if it never was. */
double stat_percent_running(const struct stat_row *r);
