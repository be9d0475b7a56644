/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf list -i`: the browser of events, and what follows it.
 */
#include <stddef.h>

struct catalog;
struct invocation;

/* What was listed, and what to say about that which could not be; all borrowed. */
struct list_pick {
	const struct catalog *catalogs;
	size_t n;
	const char *buildid_dir;
	const char *missing; /* or NULL */
};

/*
 * Lets the user choose, then prints options, or runs the command line that was made. The status of
 * perf list: 1 if nothing was chosen. Does not return if a command is run, or a signal came.
 */
int list_pick(struct invocation *inv, const struct list_pick *what);
