/* SPDX-License-Identifier: MIT */
/*
 * perf mem record: runs perf record for accesses to memory, with addresses, sources and latencies.
 */
#include "cli/command.h"
#include "options/memory-line.h"
#include "options/record-line.h"
#include "tools/commands.h"
#include "tools/mem/opts.h"

struct opts {
	struct mem_opts common;
	struct memory_line_opts line;
};

static const struct option options[] = {
	OPT_MEMORY_EVENT(struct opts, line),
	OPT_MEMORY_LATENCY(0, struct opts, line),
	OPT_MEMORY_KERNEL('K', struct opts, line),
	OPT_MEMORY_USER('U', struct opts, line),
	OPT_SET(struct opts, common, mem_both_options),
	OPT_NOTHING('f', "force", NULL, "read files of other owners too", "record reads none"),
	OPT_MEMORY_VERBOSE(struct opts, line),
	OPT_END
};

#define WORDS_MAX 5

static int mem_record_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	unsigned accesses = o->common.accesses ? o->common.accesses : MEMORY_ACCESSES;
	const char *more[WORDS_MAX] = { NULL };
	size_t n = 0;

	if (o->common.phys_data)
		more[n++] = "--phys-data";
	if (o->common.data_page_size)
		more[n++] = "--data-page-size";
	if (o->common.cpus) {
		more[n++] = "-C";
		more[n++] = o->common.cpus;
	}
	return memory_line_run(inv, &o->line, accesses, more);
}

static const char *const usage[] = { "[<options>] [<options of perf record>] [<command>]", NULL };

const struct command cmd_mem_record = {
	.name = "mem record",
	.summary = "record accesses to memory",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_WORKLOAD,
	.passes_to = "record",
	.run = mem_record_run,
};
