/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Text of views on a screen. Views mark shares with the colours of a terminal (\033[31m, \033[32m
 * and \033[m); on a screen these become styles, and everything else in the text is escaped.
 */
#include "tui/screen.h"

struct text;

/*
 * Writes @text in row @y of @a from column @x on, in @style, except for the marked parts. @uniform:
 * everything in @style. Returns the column after it.
 */
int coloured_put(struct screen *s, struct area a, int y, int x, enum style style, bool uniform,
		 const struct text *text);

/* Appends @from to @out without the marks. */
void coloured_strip(const struct text *from, struct text *out);
