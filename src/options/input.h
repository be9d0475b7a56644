/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options that name the profile to read and what to read of it besides samples: for every
 * command that reads a perf.data.
 */
#include <stdbool.h>

#include "cli/option.h"

struct input_opts {
	const char
		/* NULL: perf.data, or standard input if that is a pipe; "-": standard input */
		*path;
	bool force; /* read files of other owners too */
	bool header;
	bool header_only;
	bool show_info;
	bool dump_raw;
};

/* Single options of this set, for commands that have other fields. */
#define OPT_INPUT(T, f)                                                                            \
	OPT_STRING('i', "input", T, f, "file",                                                     \
		   "profile to read (default: perf.data; - is standard input)",                    \
		   .flags = OPTION_READS_USUAL)
#define OPT_FORCE(T, f)    OPT_FLAG('f', "force", T, f, "read files of other owners too")
#define OPT_DUMP_RAW(T, f) OPT_FLAG('D', "dump-raw-trace", T, f, "dump every record, as bytes too")

/* Options over a struct input_opts, with a heading. */
extern const struct option input_options[];

/* Returns the profile to read: @path if there is one, else standard input if that is a pipe. */
const char *input_path(const char *path);
