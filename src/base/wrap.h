/* SPDX-License-Identifier: MIT */
#pragma once
/* Sentences broken into lines that fit a terminal. */
#include <stddef.h>

struct text;

/*
 * Appends @s, which is safe for a terminal, and ends the line. The first line continues the text's
 * last line. Lines are broken at blanks, so that none has more than @width columns unless a word
 * does; the following lines begin with @indent blanks. @width 0: one line.
 */
void text_add_wrapped(struct text *t, const char *s, size_t indent, size_t width);
