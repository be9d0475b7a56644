/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf report --tasks` and `--mmaps`: prints the processes and threads of a recording as a tree of
 * parents and children, with their last names and, on request, their final mappings.
 */
#include <stdbool.h>
#include <stdio.h>

struct session;

/* Prints the tasks. The records of @s must have been delivered or scanned. @with_maps: --mmaps. */
void report_tasks_print(const struct session *s, bool with_maps, FILE *out);
