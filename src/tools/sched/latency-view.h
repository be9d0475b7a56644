/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The table of `perf sched latency`, in the form of Linux's perf.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sched_info;
struct sched_latency_rows;

/*
 * Prints the rows, their sums and what went wrong. @count is the title of the column with the
 * number of waits: "Switches". @narrow: delays do not say again what their titles say.
 */
void sched_latency_print(FILE *out, const struct sched_latency_rows *rows, const char *count,
			 bool narrow, const struct sched_info *info);

/* How wide that is. */
#define SCHED_LATENCY_WIDTH 140

/*
 * The same for a table that is shown every so often: at most @max rows, below their sums, in lines
 * of less than 80 columns.
 */
void sched_latency_print_short(FILE *out, const struct sched_latency_rows *rows, size_t max);

/*
 * The lines behind the tables of `perf sched` that say what went wrong, in the form of Linux's
 * perf.
 */

struct session_counts;

struct sched_info {
	uint64_t wakeups;       /* what the following two are parts of; */
	uint64_t early_wakeups; /* that are older than what they follow, */
	uint64_t switch_bugs;   /* and CPUs that another task left than had come */
	uint64_t n_records;     /* of the whole recording */
	uint64_t lost_events;   /* that the kernel had no room for, */
	uint64_t lost_chunks;   /* and how often */
};

/* What was read and lost; wake-ups are left 0. */
struct sched_info sched_info_of(const struct session_counts *c);

/* Prints a line for each that is not 0. */
void sched_info_print(FILE *out, const struct sched_info *info);
