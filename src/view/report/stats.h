/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf report --stats`, and the end of `perf report -D`: how many records of each type a recording
 * has, and how many samples each event.
 */
#include <stdbool.h>
#include <stdio.h>

struct record_stats;
struct session;

/*
 * After all records of @s have been delivered. @st was given them too. @skip_empty: no lines for
 * types of records and events that did not occur.
 */
void report_stats_print(const struct session *s, const struct record_stats *st, bool skip_empty,
			FILE *out);
