/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the tables of `perf stat` as lines of fields (-x), with a point in numbers whatever the
 * locale:
 *
 *   [time] [aggregate [cpus]] count unit event [cgroup] [noise%] running-ns percent metric unit
 *
 * Every further metric of the event has a line of its own in which only the prefix and the last two
 * fields are filled. Nothing is quoted, because readers of these lines never expected it, but no
 * name can end a line.
 */
#include "tools/stat/stat-view.h"

stat_print_fn stat_csv_print;
