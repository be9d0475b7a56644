/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The end of the text of `perf stat`: how long it took, of one run or as the mean of several.
 */
#include <stdbool.h>

#include "base/text.h"

struct stat_table;

/* @list_runs: also the time of each run, with its distance from the mean as a bar. */
void stat_elapsed_add(struct text *t, const struct stat_table *table, bool list_runs);

/* "  ( +-  1.25% )", or nothing if there is no noise at all. */
void stat_noise_add(struct text *t, double percent);
