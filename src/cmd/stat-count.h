/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The work of `perf stat`: opens the events, runs or watches the target as often as asked, prints.
 */
struct invocation;
struct stat_opts;

/*
 * Returns the exit status: that of the workload, if there was one. The counts are written to the
 * file @record too, if that is not NULL.
 */
int stat_count(struct invocation *inv, struct stat_opts *o, const char *record);
