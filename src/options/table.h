/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options that say how rows are printed: what percentages are of, what stands between columns,
 * and the form. They are for every command that prints reports.
 */
#include <stdbool.h>

#include "cli/option.h"

enum percentage {
	PERCENTAGE_DEFAULT,  /* the same as ABSOLUTE */
	PERCENTAGE_ABSOLUTE, /* percentages of everything */
	PERCENTAGE_RELATIVE, /* percentages of the samples that the filters leave */
};

/* Sets an `enum percentage`: --percentage. */
option_set_fn percentage_set;
#define OPT_PERCENTAGE(T, f)                                                                       \
	OPT_CALL(0, "percentage", T, f, "relative|absolute",                                       \
		 "shares of what the filters leave, or of everything", .set = percentage_set,      \
		 .config = "hist.percentage")

/* Sets a `double` from "5" or "5%"; --no-x is 0. */
option_set_fn percent_set;

/* Sets an `enum frame_choice`. */
option_set_fn frames_set;
#define OPT_FRAMES(T, f)                                                                           \
	OPT_CALL(0, "frames", T, f, "all|native|interpreted",                                      \
		 "only native frames, or only functions of interpreted languages",                 \
		 .set = frames_set)

/*
 * Sets an `enum annotate_base` for --percent-type. The halves of a word may stand in either order.
 */
option_set_fn percent_type_set;

/* Refuses --gtk, which no longer exists, and names the alternatives. */
option_set_fn gtk_set;
#define OPT_GTK                                                                                    \
	{                                                                                          \
		.kind = OPTION_CALL, .name = "gtk", .help = "once a window", .set = gtk_set,       \
		.flags = OPTION_NO_VALUE | OPTION_HIDDEN                                           \
	}

/*
 * True if @word is a value of --stdio-color. Any other word is the next argument: `report
 * --stdio-color perf.data`.
 */
bool is_colour_word(const char *word);
#define OPT_STDIO_COLOUR(T, f)                                                                     \
	OPT_CALL(0, "stdio-color", T, f, "mode", "colours in text: always, never or auto",         \
		 .set = colour_set, .takes = is_colour_word, .missing = "always",                  \
		 .flags = OPTION_OPTIONAL)

/* Sets a `const char *` for -t. "." replaces the separator where it occurs in a name. */
option_set_fn separator_set;
