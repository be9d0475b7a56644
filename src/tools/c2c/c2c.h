/* SPDX-License-Identifier: MIT */
#pragma once
/* The subcommands of `perf c2c`. */
#include "cli/option.h"

struct command;

/* Options that may precede the subcommand's word. */
struct c2c_opts {
	unsigned verbose;
};
extern const struct option c2c_options[];

extern const struct command cmd_c2c_record;
extern const struct command cmd_c2c_report;
