/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the tables of `perf stat` as JSON (-j): one object on each line, for each row, for each
 * further metric of a row, or, with --metric-only, for each unit, with a member for every metric.
 *
 * A row without a metric has "metric-value" 0 and an empty "metric-unit".
 */
#include "tools/stat/stat-view.h"

stat_print_fn stat_json_print;
