/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The text of `perf sched timehist`: a line for each row of the model, as Linux's perf writes it,
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
	bool newer; /* an option of Linux's perf 7 is used: small things look as it has them */
	unsigned n_cpus;
	unsigned columns; /* of a terminal; 0: it is none */
};

struct timehist_lines {
	struct timehist_style style;
	FILE *out;
	struct sched_chain chain;
	struct text text;
	size_t name_width; /* of the column with names: grows with what is in it */
	struct task_labels labels;
	int error; /* of writing: the first one */
};

void timehist_lines_init(struct timehist_lines *l, const struct timehist_style *style, FILE *out);
void timehist_lines_done(struct timehist_lines *l);

/* Prints the three lines above the rows. */
void timehist_print_head(struct timehist_lines *l);

/* Adds the line of @row, unless the style leaves its kind out. */
void timehist_print_row(struct timehist_lines *l, const struct timehist_row *row);

/* Adds a line that says that @n events of @cpu are missing. */
void timehist_print_lost(struct timehist_lines *l, uint64_t time_ns, uint32_t cpu, uint64_t n);

/* Writes what has been added. -errno of the first write that failed. */
int timehist_lines_flush(struct timehist_lines *l);
