/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Source lines of a function or a file, and which of them can be probed.
 */
#include "base/cleanup.h"
#include "dwarf/debug-places.h"

#include <stdint.h>

struct diag;
struct probe_request;
struct probe_target;
struct text_file;
struct text_files;

struct probe_source {
	struct debug_lines lines;
	char *path;                   /* where the source was found, */
	const struct text_file *text; /* and what is in it */
	struct probe_target *target;
	struct text_files *files;
};

/*
 * Finds the lines of @text, "FUNC[:RLN[+NUM|-RLN2]]" or "SRC:ALN[+NUM|-ALN2]". Errors with @diag:
 * the text is wrong, or there is no debug information or no source. To be released in any case.
 */
int probe_source_find(const struct probe_request *rq, const char *text, struct probe_source *ret,
		      struct diag *diag);
void probe_source_done(struct probe_source *s);

/*
 * Which lines to show: FUNC[@FILE][:FROM[+COUNT|-TO]] or FILE[:FROM[+COUNT|-TO]] (`perf probe -L`).
 */

struct line_range {
	char *function; /* NULL: lines of a file */
	char *file;     /* or NULL */
	uint32_t from;  /* of the function from 0, of the file from 1 */
	uint32_t to;    /* UINT32_MAX: to the end */
};

/* -EINVAL: @diag points at what is wrong. */
int line_range_parse(const char *text, struct line_range *ret, struct diag *diag);
void line_range_done(struct line_range *r);
