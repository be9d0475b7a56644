/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The text of source files, line by line, as they are on this machine now: compilers keep only
 * their names. Each is read once, and kept; any thread may ask.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct text_file;
struct text_files;

/* Sources may lie elsewhere than where they were compiled. */
struct text_files_options {
	const char *prefix; /* put before absolute paths; NULL: nothing. Borrowed */
	size_t strip;       /* how many directories of such a path to leave out first */
};

struct text_files *text_files_new(const struct text_files_options *o);
void text_files_free(struct text_files *s);
DEFINE_FREEP(text_files)

/* The file that was called @path when it was compiled; NULL: it is not here. */
const struct text_file *text_files_find(struct text_files *s, const char *path);

uint32_t text_file_lines(const struct text_file *f);

/* Line @number, from 1; without its end of line, and not NUL-terminated. "" behind the last. */
const char *text_file_line(const struct text_file *f, uint32_t number, size_t *ret_length);
