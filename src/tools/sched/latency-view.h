/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the table of `perf sched latency`, in the form of Linux's perf. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sched_info;
struct sched_latency_rows;

/*
 * Prints the rows, their sums and the errors. @count is the title of the column with the number of
 * waits: "Switches". @narrow: cells with delays do not repeat their titles.
 */
void sched_latency_print(FILE *out, const struct sched_latency_rows *rows, const char *count,
			 bool narrow, const struct sched_info *info);

/* The width of that table. */
#define SCHED_LATENCY_WIDTH 140

/*
 * Does the same for a table that is shown at intervals: at most @max rows, below their sums, in
 * lines of less than 80 columns.
 */
void sched_latency_print_short(FILE *out, const struct sched_latency_rows *rows, size_t max);

/*
 * Prints the lines after the tables of `perf sched` that report errors, in the form of Linux's
 * perf.
 */

struct session_counts;

struct sched_info {
	uint64_t wakeups;       /* the total for the following two: */
	uint64_t early_wakeups; /* wake-ups older than the event they follow, */
	uint64_t switch_bugs;   /* and switches from another task than the one that came */
	uint64_t n_records;     /* the number in the whole recording */
	uint64_t lost_events;   /* events for which the kernel had no space, */
	uint64_t lost_chunks;   /* and the number of records that report them */
};

/* Returns the numbers of read and lost records. wake-ups are left 0. */
struct sched_info sched_info_of(const struct session_counts *c);

/* Prints a line for each number that is not 0. */
void sched_info_print(FILE *out, const struct sched_info *info);
