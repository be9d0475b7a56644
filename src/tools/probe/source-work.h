/* SPDX-License-Identifier: MIT */
#pragma once
/* Finds source lines of a function or a file, and those that can be probed. */
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
	char *path;                   /* the place of the source file, */
	const struct text_file *text; /* and its contents */
	struct probe_target *target;
	struct text_files *files;
};

/*
 * Finds the lines of @text, "FUNC[:RLN[+NUM|-RLN2]]" or "SRC:ALN[+NUM|-ALN2]". Errors with @diag:
 * the text is wrong, or there is no debug information or no source. *@ret must be released in any
 * case.
 */
int probe_source_find(const struct probe_request *rq, const char *text, struct probe_source *ret,
		      struct diag *diag);
void probe_source_done(struct probe_source *s);

/*
 * The range of lines to show: FUNC[@FILE][:FROM[+COUNT|-TO]] or FILE[:FROM[+COUNT|-TO]] (`perf
 * probe -L`).
 */

struct line_range {
	char *function; /* NULL: lines of a file */
	char *file;     /* or NULL */
	uint32_t from;  /* counted from 0 in a function, from 1 in a file */
	uint32_t to;    /* UINT32_MAX: to the end */
};

/* Parses a range. Returns -EINVAL, and @diag points at the mistake. */
int line_range_parse(const char *text, struct line_range *ret, struct diag *diag);
void line_range_done(struct line_range *r);
