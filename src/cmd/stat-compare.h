/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf stat --compare`: the same counts for several commands, run in turn, set against each other.
 */
struct invocation;
struct stat_opts;

/* Returns the exit status. */
int stat_compare(struct invocation *inv, struct stat_opts *o);
