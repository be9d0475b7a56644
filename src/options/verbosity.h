/* SPDX-License-Identifier: MIT */
#pragma once
/* The options -v and -q, as most commands have them. */
#include <stdbool.h>

#include "cli/option.h"

struct verbosity_opts {
	unsigned verbose; /* the number of -v given */
	bool quiet;
};

/* Options over a struct verbosity_opts. */
extern const struct option verbosity_options[];

/* The option -v of a command that has nothing more to say, and -q alone, for a `bool`. */
#define OPT_VERBOSE_NOTHING                                                                        \
	OPT_NOTHING('v', "verbose", NULL, "say more", "there is nothing more to say")
#define OPT_QUIET(T, f)                                                                            \
	OPT_FLAG('q', "quiet", T, f, "print no warnings and no messages", .flags = OPTION_QUIETS)
