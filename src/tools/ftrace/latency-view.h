/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The table of `perf ftrace latency`.
 */
#include <stdbool.h>
#include <stdio.h>

struct latency;

struct latency_layout {
	bool is_new; /* columns since Linux's perf 6.15, for rows of any range */
	bool hides_empty;
	bool has_statistics;
};

void latency_print(FILE *out, const struct latency *l, const struct latency_layout *layout);
