/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the tables of a report to a stream: as the text of `perf report --stdio`, or as JSON.
 * `perf report` and the browser's export use it; it needs no terminal.
 */
#include <stdbool.h>
#include <stdio.h>

#include "view/report/tree.h"

struct profile;
struct report_tables;

/* The parameters. All of it is borrowed. */
struct tables_print {
	const struct profile *profile; /* with its request, whose filters are printed */
	const struct report_tables *tables;
	struct report_tree_options tree; /* without the order; its form is also that of rows */
};

/* Print the text above all tables, and the tables. Return a negative errno if @out fails. */
int tables_print_text(const struct tables_print *p, FILE *out);
int tables_print_json(const struct tables_print *p, FILE *out);
