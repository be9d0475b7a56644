/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where `perf stat` writes, and in which format.
 */
#include <stdbool.h>
#include <stdio.h>

#include "view/stat/view.h"

struct diag;
struct invocation;
struct stat_opts;

struct stat_output {
	FILE *file; /* NULL with --quiet: nothing is printed */
	bool owned;
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

/* Closes it. false: not everything could be written. */
bool stat_output_done(struct stat_output *out);
