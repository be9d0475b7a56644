/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the summary of `perf sched timehist`: a row for each task, the tasks for which CPUs were
 * idle, and sums.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cpu_list;
struct timehist;

struct timehist_summary_style {
	bool idle;   /* the idle times: timehist_options.idle */
	bool state;  /* show the times of states in place of statistics */
	bool chains; /* with idle: show the stacks after which CPUs were idle */
	const char *(*chain_text)(void *arg, uint32_t chain);
	void *arg;
	unsigned n_cpus;
	/* the width in the rows above; grows with the contents of the column */
	unsigned name_width;
	const struct cpu_list *cpus; /* only these; empty: all */
	/* the terminal's width; 0: not a terminal, nothing is omitted */
	unsigned columns;
};

void timehist_print_summary(FILE *out, const struct timehist *t,
			    const struct timehist_summary_style *style);
