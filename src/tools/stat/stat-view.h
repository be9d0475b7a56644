/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The layout of the tables of `perf stat` (count/stat.h): the common part of all its formats.
 *
 * A format is one function, called for each table: stat_text_print(), stat_csv_print() or
 * stat_json_print(). The caller owns the view, fills in style and title, and passes the same view
 * to every call, because intervals share headings. Everything that the view points to is borrowed.
 */
#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "count/stat.h"

struct stat_style {
	bool big_num;          /* group digits according to the locale; text only */
	bool colour;           /* text only */
	unsigned columns;      /* the width of the terminal that lines must fit, or 0; text only */
	bool hide_zeros;       /* omit rows of events that counted nothing */
	bool metric_only;      /* a line of metrics for each unit, and no counts */
	bool clear;            /* clear the screen before each interval; text only */
	bool null_run;         /* nothing was to be counted: print only the time; text only */
	bool list_runs;        /* print the time of each run above their mean; text only */
	bool csv_summary;      /* mark the rows of a summary; CSV only */
	bool counters;         /* perf 7.2's key for the number of counts added up; JSON only */
	const char *separator; /* the separator of CSV */
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

/* The measured target, as the title names it. */
struct stat_title {
	enum stat_target target;
	const char *text; /* the command's words, or the list as typed; NULL: the system */
};

struct stat_view {
	struct stat_style style;
	struct stat_title title;
	unsigned intervals; /* intervals printed so far; initially 0; owned by the view */
};

typedef void stat_print_fn(struct stat_view *v, const struct stat_table *t, FILE *out);

/* True if @t is shown as one of several intervals: with its time, and without a frame. */
bool stat_is_interval(const struct stat_table *t);

/* True if the row is omitted because its event counted nothing. */
bool stat_row_is_hidden(const struct stat_style *s, const struct stat_row *r);

/* Seconds since the start: "     0.100000000". */
void stat_add_time(struct text *t, uint64_t ns, int width);

/* Returns "<not counted>" or a similar text, or NULL for an event that was counted. */
const char *stat_state_text(enum stat_state state);

/*
 * Returns the share of the enabled time for which the event ran, in percent; 100 if it was never
 * enabled.
 */
double stat_percent_running(const struct stat_row *r);
