/* SPDX-License-Identifier: MIT */
#pragma once
/* Shows the work of `perf stat`: the destination and format of its tables, and the exit status. */
#include <stdbool.h>
#include <stdio.h>

#include "tools/stat/stat-view.h"

struct diag;
struct invocation;
struct stat_opts;

struct stat_output {
	FILE *file; /* NULL with --quiet: nothing is printed */
	bool owned;
	int error;  /* the error of the first failed write, or 0 */
	bool notes; /* text on a terminal: explanations are welcome */
	struct stat_view view;
	stat_print_fn *print;
	char *title; /* owns the characters of view.title.text */
};

/*
 * Opens -o or --log-fd, or else uses stderr. Returns a negative errno with @diag set if it cannot
 * be written. @has_cpus: CPUs are counted, not tasks. @out must be released with stat_output_done()
 * in any case.
 */
int stat_output_open(struct stat_output *out, const struct stat_opts *o,
		     const struct invocation *inv, bool has_cpus, struct diag *diag);

/* Closes the output. Returns a negative errno if not everything could be written. */
int stat_output_done(struct stat_output *out);

/*
 * Counts according to the options. Returns the exit status, which is that of the workload, if there
 * was one.
 */
int stat_count(struct invocation *inv, struct stat_opts *o);

/* --compare: the same counts for several commands. Returns the exit status. */
int stat_compare(struct invocation *inv, struct stat_opts *o);

/*
 * `perf stat report`: shows the tables of a file that `perf stat record` wrote. Returns the exit
 * status.
 */
int stat_report(struct invocation *inv, const struct stat_opts *o);
