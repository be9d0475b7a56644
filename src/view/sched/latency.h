/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The table of `perf sched latency`, in the form of Linux's perf.
 */
#include <stdint.h>
#include <stdio.h>

struct sched_latency_counts;
struct sched_latency_rows;

/* What the lines behind the table are about. */
struct sched_latency_info {
	const struct sched_latency_counts *counts;
	uint64_t n_records;   /* of the whole recording */
	uint64_t lost_events; /* that the kernel had no room for, */
	uint64_t lost_chunks; /* and how often */
};

/* @count is the title of the column with the number of waits: "Switches". */
void sched_latency_print(FILE *out, const struct sched_latency_rows *rows, const char *count,
			 const struct sched_latency_info *info);
