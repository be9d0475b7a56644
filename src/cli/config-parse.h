/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The grammar of perfconfig files, for cli/config.c and cli/config-edit.c.
 *
 * Reports headers and variables together with the bytes they came from, so that an edit can replace
 * just those.
 */
#include <stddef.h>

struct diag;

struct config_line {
	const char *section;   /* "core", "sub.Name"; "" before the first header */
	const char *name;      /* NULL: this is the section's header */
	const char *value;     /* "true" when the name stands alone */
	unsigned line, column; /* the column is that of the value, from 1 */
	size_t end;            /* offset of what follows the header's ], or the name */
	size_t value_start,
		value_end; /* offsets of the value as written; 0, 0 when there is none */
	size_t next;       /* offset of the next line */
};

/* Borrowed strings; a negative result ends the parse and is passed on. */
typedef int config_line_fn(const struct config_line *line, void *arg);

/* Calls @fn for each header and variable of @text. Errors as config_parse(). */
int config_parse_lines(const char *text, size_t length, const char *origin, config_line_fn *fn,
		       void *arg, struct diag *diag);
