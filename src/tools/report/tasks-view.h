/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf report --tasks` and `--mmaps`: the processes and threads of a recording as a tree of who
 * forked whom, with their last names and, on request, what they had mapped in the end.
 */
#include <stdbool.h>
#include <stdio.h>

struct session;

/* After the records of @s have been delivered or scanned. @with_maps: --mmaps. */
void report_tasks_print(const struct session *s, bool with_maps, FILE *out);
