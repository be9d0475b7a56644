/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Places in the source as users know them: "main.c:12". If no line is known, the text is "??:0" if
 * a file has the code but does not give the line. Otherwise, as for the kernel and for code that
 * was compiled at run time, the caller uses its own words, which give the offset in a function or
 * an image.
 */
#include <stdbool.h>

struct image;
struct source_line;
struct symbol;
struct text;

#define SOURCE_UNKNOWN "??:0"

/* Returns the name of the file, or with @full_path its whole path. */
const char *source_file_text(const struct source_line *l, bool full_path);
void source_line_text(const struct source_line *l, bool full_path, struct text *out);

/*
 * True if a place without a line, in @sym (NULL: no function) of @im, is shown as SOURCE_UNKNOWN.
 * The image must be loaded.
 */
bool source_is_unknown(const struct image *im, const struct symbol *sym);
