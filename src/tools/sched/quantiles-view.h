/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the distribution of tasks' times: `perf sched latency --quantiles` and `--histogram`, and
 * the same below the summary of `perf sched timehist -s`.
 */
#include <stdbool.h>
#include <stdio.h>

struct task_times;

/*
 * Prints a table with three lines for each task. With @histogram it also prints the number of times
 * between powers of 2.
 */
void quantiles_print(FILE *out, const struct task_times *t, bool histogram);

/* Prints the same as a JSON object. */
void quantiles_print_json(FILE *out, const struct task_times *t);
