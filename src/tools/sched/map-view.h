/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the lines of `perf sched map`, in the form of Linux's perf. */
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
	const struct cpu_list *cpus;  /* only lines of these CPUs; NULL: all */
	bool all_columns;             /* with @cpus: also the columns of the others */
	bool colour;                  /* for the following; either may be NULL */
	const struct id_list *pids;   /* tasks, or processes, to highlight */
	const struct cpu_list *marks; /* CPUs whose star is highlighted */
	struct text line;             /* the text that is not printed yet */
};

/* Prints @l, possibly later. The renamed task in it is then no longer marked as renamed. */
void sched_map_print(struct sched_map_look *look, const struct sched_map *m,
		     const struct sched_map_line *l);

/* Prints the rest, and releases the memory of @look. */
void sched_map_finish(struct sched_map_look *look);
