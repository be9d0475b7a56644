/* SPDX-License-Identifier: MIT */
/* perf c2c: cache lines that CPUs take from each other. */
#include "tools/c2c/c2c.h"

#include "cli/command.h"

const struct option c2c_options[] = {
	OPT_COUNT('v', "verbose", struct c2c_opts, verbose, "say more"), OPT_END
};

static const struct command *const subcommands[] = { &cmd_c2c_record, &cmd_c2c_report, NULL };

static const char *const usage[] = { "{record|report}", NULL };

const struct command cmd_c2c = {
	.name = "c2c",
	.summary = "find cache lines that CPUs take from each other",
	.usage = usage,
	.options = c2c_options,
	.opts_size = sizeof(struct c2c_opts),
	.subcommands = subcommands,
};
