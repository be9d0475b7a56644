/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which profile to read, and what of it besides samples: for every command that reads a perf.data.
 */
#include <stdbool.h>

#include "cli/option.h"

struct input_opts {
	const char
		*path; /* NULL: perf.data, or standard input when that is a pipe; "-": the latter */
	bool force;    /* files of other owners too */
	bool header;
	bool header_only;
	bool show_info;
	bool dump_raw;
};

/* Rows over a struct input_opts, with a heading. */
extern const struct option input_options[];

/* The profile that is meant: @path if there is one, else standard input if that is a pipe. */
const char *input_path(const char *path);
