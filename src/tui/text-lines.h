/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A text as lines.
 */
#include <stddef.h>

struct text_lines {
	char *text; /* a copy, with NULs in place of newlines */
	char **items;
	size_t n, room;
};

/*
 * Makes the lines of @text, which is copied. Tabs become blanks. A newline at the end of the text
 * does not begin another line.
 */
void text_lines_init(struct text_lines *l, const char *text);
void text_lines_done(struct text_lines *l);

const char *text_lines_get(const struct text_lines *l, size_t i);

/*
 * Returns the first line with @part, ignoring case, after line @from (@step is 1) or before it
 * (-1). After the last line comes the first, and @from itself is checked last. n: no line has it.
 */
size_t text_lines_find(const struct text_lines *l, const char *part, size_t from, int step);
