/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The use of colours, and the sequences for them.
 *
 * `--color` decides; without it $NO_COLOR (any value except the empty one), then whether the output
 * is a terminal that supports them.
 */
#include <stdbool.h>
#include <stdio.h>

#include "cli/option.h"

enum colour_when {
	COLOUR_AUTO,
	COLOUR_ALWAYS,
	COLOUR_NEVER,
};

/* The row of --color for the `enum colour_when` @f of @T. */
#define OPT_COLOUR(T, f)                                                                           \
	OPT_CALL(0, "color", T, f, "auto|always|never",                                            \
		 "use colours: on a terminal, always, or never", .set = colour_set,                \
		 .missing = "always", .takes = colour_is_word,                                     \
		 .flags = OPTION_OPTIONAL | OPTION_WHOLE)
option_set_fn colour_set;
bool colour_is_word(const char *word);

/* True if output to @f may contain colours. */
bool colour_wanted(enum colour_when when, FILE *f);

enum colour {
	COLOUR_OFF, /* back to normal */
	COLOUR_BOLD,
	COLOUR_RED,
};

/* Returns the sequence that switches to @c, or "" unless @on. */
const char *colour_code(bool on, enum colour c);
