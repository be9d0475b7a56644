/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the tables of `perf trace -s`, as text and as JSON. */
#include <stdbool.h>
#include <stdio.h>

#include "tools/trace/summary-model.h"

struct trace_summary_style {
	bool shows_errnos;
	bool shows_quantiles; /* p50, p99 */
	bool shows_rows;      /* a histogram under each call */
	bool shows_runtime;   /* --sched */
	size_t max_rows;      /* the number of calls in each table; 0: all */
	bool is_json;         /* print an object for each group on a line of its own */
};

/* Prints a table for each thread or cgroup, or one for the total. */
void trace_summary_print(FILE *out, struct trace_summary *s,
			 const struct trace_summary_style *style);
