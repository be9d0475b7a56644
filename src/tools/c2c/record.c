/* SPDX-License-Identifier: MIT */
/* perf c2c record: perf record of loads and stores, with their addresses and CPUs. */
#include <string.h>

#include "cli/command.h"
#include "options/memory-line.h"
#include "options/record-line.h"
#include "tools/c2c/c2c.h"

struct opts {
	struct memory_line_opts line;
};

static const struct option options[] = {
	OPT_MEMORY_EVENT(struct opts, line),       OPT_MEMORY_LATENCY('l', struct opts, line),
	OPT_MEMORY_KERNEL('k', struct opts, line), OPT_MEMORY_USER('u', struct opts, line),
	OPT_MEMORY_VERBOSE(struct opts, line),     OPT_END
};

/* Skips "--". The words after it may be options of perf record: perf c2c record -- -g -a. */
static void skip_dashes(struct invocation *inv)
{
	char **word = inv->argv;

	while (*word && strcmp(*word, "--") != 0)
		word++;
	for (; *word; word++)
		word[0] = word[1];
}

static int c2c_record_run(struct invocation *inv)
{
	static const char *const more[] = { "--phys-data", "--sample-cpu", NULL };
	const struct opts *o = inv->opts;

	skip_dashes(inv);
	return memory_line_run(inv, &o->line, MEMORY_ACCESSES, more);
}

static const char *const usage[] = { "[<options>] [<options of perf record>] [<command>]",
				     "[<options>] -- [<options of perf record>] [<command>]",
				     NULL };

const struct command cmd_c2c_record = {
	.name = "c2c record",
	.summary = "record loads and stores, with their addresses",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_WORKLOAD,
	.passes_to = "record",
	.run = c2c_record_run,
};
