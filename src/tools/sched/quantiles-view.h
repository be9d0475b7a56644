/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How the times of tasks spread: `perf sched latency --quantiles` and `--histogram`, and the same
 * below the summary of `perf sched timehist -s`.
 */
#include <stdbool.h>
#include <stdio.h>

struct task_times;

/* A table with three lines for each task; @histogram: and how many times lie between powers of 2.
 */
void quantiles_print(FILE *out, const struct task_times *t, bool histogram);

/* The same as a JSON object. */
void quantiles_print_json(FILE *out, const struct task_times *t);
