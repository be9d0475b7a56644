/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The output for pictures and pages: a file, which appears complete or not at all, or standard
 * output.
 */
#include <stdbool.h>
#include <stdio.h>

#include "base/output-stream.h"

struct diag;
struct invocation;
struct page;

struct picture_file {
	FILE *out;
	/* Private: */
	struct output_stream file;
	const char *usual;
	bool is_file; /* otherwise it is standard output */
};

/*
 * Opens @path; "-" is standard output. NULL: standard output, or the file @usual if standard output
 * is a terminal. Returns a negative errno with @diag; picture_file_done() is called in any case.
 */
int picture_file_open(struct picture_file *f, const struct invocation *inv, const char *path,
		      const char *usual, struct diag *diag);

/*
 * Completes the picture: gives the file its name, and unless @quiet reports on stderr where the
 * file is, and whether its name ends like that of another kind of file. Returns a negative errno
 * with @diag.
 */
int picture_file_commit(struct picture_file *f, const struct invocation *inv, bool quiet,
			struct diag *diag);

void picture_file_done(struct picture_file *f);

/*
 * Opens a file, prints @page, which page_fit() has packed, and commits the file. The parameters are
 * those of these functions.
 */
int picture_write_page(const struct page *page, const struct invocation *inv, const char *path,
		       const char *usual, bool quiet, struct diag *diag);
