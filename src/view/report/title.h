/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the comment lines of a report: those above the first table, those above each event's
 * table, and the advice below the last.
 *
 *	# To display the perf.data header info, please use --header/--header-only options.
 *	#
 *	# comm: sh
 *	#
 *	# Total Lost Samples: 0
 *	#
 *	# Samples: 22K of event 'cpu-clock'
 *	# Event count (approx.): 5500000000
 *	#
 *
 * All text is borrowed; text from the recording is escaped.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct text;

/*
 * Prints the hint about the header, if that was not requested: the first lines of all. @columns is
 * the width of the terminal; 0: not a terminal.
 */
void report_header_hint_print(unsigned columns, FILE *out);

/* The text that is printed once above all tables, after the header or the hint. */
struct report_head {
	bool quiet; /* only what is necessary to understand the table */
	/* The only value of a column that a filter makes redundant; or NULL. */
	const char *comm, *dso, *symbol;
	uint64_t lost_samples;
};

void report_head_print(const struct report_head *h, FILE *out);

/* The text above the table of an event, or of several next to each other. */
struct report_title {
	const char *const *events; /* names */
	size_t n_events;
	bool is_group;          /* the first leads a group, {a,b}; else made by --group */
	const char *group_name; /* the name of such a group; NULL or "{anon_group}": no name */
	uint64_t samples;
	uint64_t period;
	const char *time_slices; /* the argument of --time; or NULL */
	bool borrows_stacks;     /* --show-ref-call-graph; the event has no stacks of its own */
	const char *sort_order;  /* --mem-mode: periods are weights, sorted by this; or NULL */
	int64_t socket;          /* the argument of --socket-filter; -1: all */
};

void report_title_print(const struct report_title *t, FILE *out);

/*
 * Appends the title as one line without "# ", as in browsers: "Samples: 3K of event 'cycles', 4000
 * Hz, Event count (approx.): 878250000". @rate ("4000 Hz") may be NULL.
 */
void report_title_line(const struct report_title *t, const char *rate, struct text *out);

/*
 * Prints the text below the last table: a piece of advice, which is always the same for the same
 * @seed.
 */
void report_tip_print(uint64_t seed, unsigned columns, FILE *out);

/*
 * Shortens a number for a title: 999, 1000, 1K, 22K, 1000K, 1M. Returns the number, truncated and
 * never rounded, and its unit: ' ', K, M, G, T, P or E.
 */
uint64_t report_number_shorten(uint64_t n, char *ret_unit);
