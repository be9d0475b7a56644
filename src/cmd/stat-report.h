/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf stat report`: the tables of a file that `perf stat record` wrote.
 */
struct invocation;
struct stat_opts;

/* Returns the exit status. */
int stat_report(struct invocation *inv, const struct stat_opts *o);
