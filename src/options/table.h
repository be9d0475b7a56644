/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How rows are printed: what shares are of, what stands between columns, in what form. For every
 * command that prints reports.
 */
#include <stdbool.h>

#include "cli/option.h"

enum percentage {
	PERCENTAGE_DEFAULT,  /* absolute */
	PERCENTAGE_ABSOLUTE, /* of everything */
	PERCENTAGE_RELATIVE, /* of what the filters leave */
};

/* `enum percentage`: --percentage. */
option_set_fn percentage_set;
#define OPT_PERCENTAGE(T, f)                                                                       \
	OPT_CALL(0, "percentage", T, f, "relative|absolute",                                       \
		 "shares of what the filters leave, or of everything", .set = percentage_set,      \
		 .config = "hist.percentage")

/* `double`, from "5" or "5%"; --no-x is 0. */
option_set_fn percent_set;

/* `enum annotate_base`: --percent-type. The halves of a word may stand in either order. */
option_set_fn percent_type_set;

/* --gtk, which is no more: says what there is. */
option_set_fn gtk_set;
#define OPT_GTK                                                                                    \
	{                                                                                          \
		.kind = OPTION_CALL, .name = "gtk", .help = "once a window", .set = gtk_set,       \
		.flags = OPTION_NO_VALUE | OPTION_HIDDEN                                           \
	}

/*
 * Is it a value of --stdio-color? What is no such word is the next argument: `report --stdio-color
 * perf.data`.
 */
bool is_colour_word(const char *word);
#define OPT_STDIO_COLOUR(T, f)                                                                     \
	OPT_CALL(0, "stdio-color", T, f, "mode", "colours in text: always, never or auto",         \
		 .set = colour_set, .takes = is_colour_word, .missing = "always",                  \
		 .flags = OPTION_OPTIONAL)

/* `const char *`: -t. "." stands for the separator where it occurs in a name. */
option_set_fn separator_set;
