/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The table of `perf sched latency`, in the form of Linux's perf.
 */
#include <stddef.h>
#include <stdbool.h>
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
