/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf report --stats`, and the end of `perf report -D`: prints the number of records of each
 * type, and the number of samples of each event.
 */
#include <stdbool.h>
#include <stdio.h>

struct record_stats;
struct session;

/*
 * Prints the statistics. All records of @s must have been delivered, and passed to @st too.
 * @skip_empty: prints no lines for types of records and events that did not occur.
 */
void report_stats_print(const struct session *s, const struct record_stats *st, bool skip_empty,
			FILE *out);
