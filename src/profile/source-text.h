/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Places in the source as users know them: "main.c:12". And what stands there if no line is known:
 * "??:0" where a file has the code and does not tell; else, as of the kernel and of code that was
 * compiled at run time, the caller's own words, which say how far into a function or an image it
 * is.
 */
#include <stdbool.h>

struct image;
struct source_line;
struct symbol;
struct text;

#define SOURCE_UNKNOWN "??:0"

/* The name of the file, or with @full_path all of it. */
const char *source_file_text(const struct source_line *l, bool full_path);
void source_line_text(const struct source_line *l, bool full_path, struct text *out);

/*
 * Whether a place without a line, in @sym (NULL: no function) of @im, goes by SOURCE_UNKNOWN. The
 * image is loaded.
 */
bool source_is_unknown(const struct image *im, const struct symbol *sym);
