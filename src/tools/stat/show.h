/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The work of `perf stat`, shown: where its tables go and in which format, and the exit status.
 */
#include <stdbool.h>
#include <stdio.h>

#include "tools/stat/stat-view.h"

struct diag;
struct invocation;
struct stat_opts;

struct stat_output {
	FILE *file; /* NULL with --quiet: nothing is printed */
	bool owned;
	int error;  /* of the first write that failed, or 0 */
	bool notes; /* a person is looking at text: explanations are welcome */
	struct stat_view view;
	stat_print_fn *print;
	char *title; /* what view.title.text points to */
};

/*
 * Opens -o or --log-fd, else takes stderr. A negative errno with @diag set: it cannot be written.
 * @has_cpus: CPUs are counted, not tasks. Release with stat_output_done() in any case.
 */
int stat_output_open(struct stat_output *out, const struct stat_opts *o,
		     const struct invocation *inv, bool has_cpus, struct diag *diag);

/* Closes it. A negative errno: not everything could be written, and why. */
int stat_output_done(struct stat_output *out);

/* Counts as the options say. Returns the exit status: that of the workload, if there was one. */
int stat_count(struct invocation *inv, struct stat_opts *o);

/* --compare: the same counts for several commands. Returns the exit status. */
int stat_compare(struct invocation *inv, struct stat_opts *o);

/* `perf stat report`: the tables of a file that `perf stat record` wrote. Likewise. */
int stat_report(struct invocation *inv, const struct stat_opts *o);
