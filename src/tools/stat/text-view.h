/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the tables of `perf stat` for users: title, aligned rows, and the elapsed time. For an
 * interval it prints only rows with their time, under a heading that is repeated every 25
 * intervals.
 *
 * Numbers follow the locale. Names are escaped for the terminal.
 */
#include "base/text.h"
#include "tools/stat/stat-view.h"

#include <stdbool.h>

stat_print_fn stat_text_print;

/* The end of the text of `perf stat`: the elapsed time, of one run or as the mean of several. */

struct stat_table;

/* @list_runs: also appends the time of each run, with its distance from the mean as a bar. */
void stat_elapsed_add(struct text *t, const struct stat_table *table, bool list_runs);

/* Appends " ( +- 1.25% )", or nothing if there is no noise at all. */
void stat_noise_add(struct text *t, double percent);
