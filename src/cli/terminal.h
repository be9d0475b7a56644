/* SPDX-License-Identifier: MIT */
#pragma once
/* The capabilities of the user's terminal. */
#include <stdbool.h>
#include <stdio.h>

/* True if @f is a terminal. */
bool terminal_is(FILE *f);

/* True if @f is a terminal that supports escape sequences, according to $TERM. */
bool terminal_understands(FILE *f);

/*
 * Returns its columns: $COLUMNS if set, else the value of the terminal, else 80. Never less than
 * 20.
 */
unsigned terminal_width(FILE *f);

/* Returns its rows; 0: it does not report them, or is not a terminal. */
unsigned terminal_height(FILE *f);

/* Returns the text for something that is left out: "…", or "..." where there is no UTF-8. */
const char *terminal_dots(void);

/*
 * True if the user's locale has UTF-8: blocks, arrows and lines can be drawn with its characters.
 */
bool terminal_has_utf8(void);
