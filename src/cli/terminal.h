/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the user's terminal can show.
 */
#include <stdbool.h>
#include <stdio.h>

/* Whether @f is a terminal. */
bool terminal_is(FILE *f);

/* Whether @f is a terminal that understands escape sequences, as $TERM says. */
bool terminal_understands(FILE *f);

/* Its columns: $COLUMNS if set, else what the terminal says, else 80. Never less than 20. */
unsigned terminal_width(FILE *f);

/* Its rows, as the terminal says; 0: it does not, or is none. */
unsigned terminal_height(FILE *f);

/* What stands for something that is left out: "…", or "..." where there is no UTF-8. */
const char *terminal_dots(void);

/* Whether the user's locale has UTF-8: blocks, arrows and lines can be drawn with its characters.
 */
bool terminal_has_utf8(void);
