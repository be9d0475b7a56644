/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The text of source files by line, as they are on this machine now; debug information has only
 * their names. Each file is read once and kept. Any thread may use it.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct text_file;
struct text_files;

/* The options for changing compiled paths, for sources that are at another place. */
struct text_files_options {
	const char *prefix; /* prepended to absolute paths; NULL: nothing; borrowed */
	size_t strip;       /* the number of directories to strip from such a path first */
};

struct text_files *text_files_new(const struct text_files_options *o);
void text_files_free(struct text_files *s);
DEFINE_FREEP(text_files)

/* Returns the source file with the compiled path @path; NULL: it cannot be read. */
const struct text_file *text_files_find(struct text_files *s, const char *path);

uint32_t text_file_lines(const struct text_file *f);

/*
 * Returns line @number, from 1, without its end of line and not NUL-terminated. "" after the last
 * line.
 */
const char *text_file_line(const struct text_file *f, uint32_t number, size_t *ret_length);
