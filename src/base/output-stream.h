/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A file that is written with stdio, and appears complete or not at all: base/output-file.h as a
 * stream.
 */
#include <stdint.h>
#include <stdio.h>

#include "base/output-file.h"

struct diag;

struct output_stream {
	FILE *out;
	/* Private: */
	struct output_file file;
	const char *path;
};

/*
 * Begins to write @path, which is borrowed. Returns a negative errno with @diag on failure;
 * output_stream_done() is called in any case.
 */
int output_stream_begin(struct output_stream *s, const char *path, struct diag *diag);

/*
 * Gives the file its name, after all of it was printed. *@ret_size, unless @ret_size is NULL, is
 * its size in bytes. Returns a negative errno with @diag, also if something could not be printed.
 */
int output_stream_commit(struct output_stream *s, uint64_t *ret_size, struct diag *diag);

void output_stream_done(struct output_stream *s);
