/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables of a report into a stream: as the text that `perf report --stdio` prints, or as JSON.
 * Both `perf report` and the browser's export use it; it needs no terminal.
 */
#include <stdbool.h>
#include <stdio.h>

#include "view/report/tree.h"

struct profile;
struct report_tables;

/* All of it is borrowed. */
struct tables_print {
	const struct profile *profile; /* with its request, whose filters are told */
	const struct report_tables *tables;
	struct report_tree_options tree; /* but for the order */
	const char *separator, *widths;  /* -t and -w; or NULL */
	bool times_in_ns;
	bool quiet;
	bool colour, escape; /* the stream is a terminal's */
	unsigned verbose;
};

/* Prints what stands above all tables, and the tables. A negative errno if @out fails. */
int tables_print_text(const struct tables_print *p, FILE *out);
int tables_print_json(const struct tables_print *p, FILE *out);
