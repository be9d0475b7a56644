/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables of `perf stat` for people: title, aligned rows, and the time that passed; for an
 * interval rows with their time alone, under a heading that comes back every 25 intervals.
 *
 * Numbers obey the locale. Names are escaped for the terminal.
 */
#include "base/text.h"
#include "tools/stat/stat-view.h"

#include <stdbool.h>

stat_print_fn stat_text_print;

/*
 * The end of the text of `perf stat`: how long it took, of one run or as the mean of several.
 */

struct stat_table;

/* @list_runs: also the time of each run, with its distance from the mean as a bar. */
void stat_elapsed_add(struct text *t, const struct stat_table *table, bool list_runs);

/* "  ( +-  1.25% )", or nothing if there is no noise at all. */
void stat_noise_add(struct text *t, double percent);
