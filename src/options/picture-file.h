/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where pictures and pages go: a file, which appears complete or not at all, or standard output.
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
	bool is_file; /* else it is standard output */
};

/*
 * Opens @path; "-" is standard output. NULL: standard output, or if that is a terminal the file
 * @usual. A negative errno with @diag; picture_file_done() is called in any case.
 */
int picture_file_open(struct picture_file *f, const struct invocation *inv, const char *path,
		      const char *usual, struct diag *diag);

/*
 * The picture is complete: gives the file its name, and says on stderr where it is, and whether
 * its name ends as that of another kind of file, unless @quiet.
 * A negative errno with @diag.
 */
int picture_file_commit(struct picture_file *f, const struct invocation *inv, bool quiet,
			struct diag *diag);

void picture_file_done(struct picture_file *f);

/* Opens, prints @page, which page_fit() has packed, and commits: with the parameters of these. */
int picture_write_page(const struct page *page, const struct invocation *inv, const char *path,
		       const char *usual, bool quiet, struct diag *diag);
