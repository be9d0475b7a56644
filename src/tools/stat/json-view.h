/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables of `perf stat` as JSON (-j): an object on each line, for each row, for each further
 * metric of a row, or with --metric-only for each unit, where every metric is a member.
 *
 * A row without a metric has "metric-value" 0 and an empty "metric-unit".
 */
#include "tools/stat/stat-view.h"

stat_print_fn stat_json_print;
