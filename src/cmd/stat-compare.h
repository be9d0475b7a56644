/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf stat --compare`: the same counts for several commands, run in turn, set against each other.
 */
struct invocation;
struct stat_opts;

/* What a script learns from the exit status. */
enum {
	EXIT_LIMIT_EXCEEDED = 1, /* a limit of --fail-if was */
	EXIT_LIMIT_UNKNOWN = 2,  /* none was, but one could not be judged */
};

/* Returns the exit status. */
int stat_compare(struct invocation *inv, struct stat_opts *o);
