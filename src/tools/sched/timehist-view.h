/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the text of `perf sched timehist`: a line for each row of the model, as in Linux's perf,
 * and the summary.
 */
#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "tools/sched/label-view.h"
#include "view/sched/chain.h"

struct timehist_row;

struct timehist_style {
	bool cpu_visual, wakeups, migrations, next, state;
	bool prio, pre_migrations;
	bool chains;
	bool newer; /* use details of Linux's perf 7, one of whose options is given */
	unsigned n_cpus;
	unsigned columns; /* the terminal's width; 0: not a terminal */
};

struct timehist_lines {
	struct timehist_style style;
	FILE *out;
	struct sched_chain chain;
	struct text text;
	size_t name_width; /* the width of the column with names; grows with its contents */
	struct task_labels labels;
	int error; /* the first error of writing */
};

void timehist_lines_init(struct timehist_lines *l, const struct timehist_style *style, FILE *out);
void timehist_lines_done(struct timehist_lines *l);

/* Prints the three lines above the rows. */
void timehist_print_head(struct timehist_lines *l);

/* Adds the line of @row, unless the style excludes its kind. */
void timehist_print_row(struct timehist_lines *l, const struct timehist_row *row);

/* Adds a line that reports @n missing events of @cpu. */
void timehist_print_lost(struct timehist_lines *l, uint64_t time_ns, uint32_t cpu, uint64_t n);

/* Writes the lines that were added. Returns the -errno of the first write that failed. */
int timehist_lines_flush(struct timehist_lines *l);
