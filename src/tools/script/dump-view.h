/* SPDX-License-Identifier: MIT */
#pragma once
/* `perf script --per-event-dump`: writes the lines of each event to a file of its own. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/cleanup.h"

struct diag;
struct script_dump;
struct session;
struct text;

/* Creates @prefix.EVENT.dump for every event of @s. Errors: those of fopen(), with @diag. */
int script_dump_open(const char *prefix, const struct session *s, struct script_dump **ret,
		     struct diag *diag);
void script_dump_free(struct script_dump *d);
DEFINE_FREEP(script_dump)

/* Moves @t to the file of event @index. @sample: it is a sample, which is counted. */
void script_dump_write(struct script_dump *d, size_t index, struct text *t, bool sample);

/*
 * Flushes the files and reports to @out what was written. Returns an error with @diag if something
 * could not be written.
 */
int script_dump_finish(struct script_dump *d, FILE *out, struct diag *diag);
