/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The grammar of perfconfig files, for cli/config.c and cli/config-edit.c.
 *
 * It reports headers and variables together with their positions in the text, so that an edit can
 * replace only those.
 */
#include <stddef.h>

struct diag;

struct config_line {
	const char *section;   /* "core", "sub.Name"; "" before the first header */
	const char *name;      /* NULL: this is the section's header */
	const char *value;     /* "true" if the name stands alone */
	unsigned line, column; /* the column is that of the value, from 1 */
	size_t end;            /* offset of the text after the header's ], or after the name */
	size_t value_start, value_end; /* offsets of the value as written; 0, 0 if there is none */
	size_t next;                   /* offset of the next line */
};

/* Receives borrowed strings; a negative result ends the parse and is returned. */
typedef int config_line_fn(const struct config_line *line, void *arg);

/* Calls @fn for each header and variable of @text. Errors as for config_parse(). */
int config_parse_lines(const char *text, size_t length, const char *origin, config_line_fn *fn,
		       void *arg, struct diag *diag);
