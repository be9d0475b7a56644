/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The lines of `perf sched map`, in the form of Linux's perf.
 */
#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"

struct cpu_list;
struct id_list;
struct sched_map;
struct sched_map_line;

struct sched_map_look {
	FILE *out;
	bool compact;                 /* only CPUs that were seen, in order of appearance */
	const struct cpu_list *cpus;  /* only their lines; NULL: all */
	bool all_columns;             /* with @cpus: the columns of the others, too */
	bool colour;                  /* of the following; either may be NULL */
	const struct id_list *pids;   /* tasks, or processes, to be highlighted */
	const struct cpu_list *marks; /* CPUs whose star is highlighted */
	struct text line;             /* what is not printed yet */
};

/* Prints @l, sooner or later. Whose name was told is no longer new then. */
void sched_map_print(struct sched_map_look *look, const struct sched_map *m,
		     const struct sched_map_line *l);

/* Prints what is left, and releases what @look owns. */
void sched_map_finish(struct sched_map_look *look);
