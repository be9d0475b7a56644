/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A text as lines.
 */
#include <stddef.h>

struct text_lines {
	char *text; /* a copy, with NULs for ends of lines */
	char **items;
	size_t n, room;
};

/* Of @text, which is copied. Tabs become blanks. An end of line at its end begins no other one. */
void text_lines_init(struct text_lines *l, const char *text);
void text_lines_done(struct text_lines *l);

const char *text_lines_get(const struct text_lines *l, size_t i);

/*
 * The first line with @part, in any case of letters, that comes behind line @from (@step is 1) or
 * before it (-1); behind the last comes the first, and @from itself is looked at in the end. n:
 * none has it.
 */
size_t text_lines_find(const struct text_lines *l, const char *part, size_t from, int step);
