/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The summary of `perf sched timehist`: a row for each task, what CPUs were idle for, and sums.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cpu_list;
struct timehist;

struct timehist_summary_style {
	bool idle;   /* of the idle times: timehist_options.idle */
	bool state;  /* what tasks waited for, in place of statistics */
	bool chains; /* with idle: which stacks CPUs were idle behind */
	const char *(*chain_text)(void *arg, uint32_t chain);
	void *arg;
	unsigned n_cpus;
	unsigned name_width;         /* of the rows above it; grows with what is in the column */
	const struct cpu_list *cpus; /* only these; empty: all */
	unsigned columns;            /* of the terminal; 0: it is none, and nothing is left out */
};

void timehist_print_summary(FILE *out, const struct timehist *t,
			    const struct timehist_summary_style *style);
