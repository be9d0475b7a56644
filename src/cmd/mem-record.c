/* SPDX-License-Identifier: MIT */
/* perf mem record: perf record of accesses to memory, with addresses, sources and latencies. */
#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "cmd/commands.h"
#include "cmd/mem-opts.h"
#include "cmd/memory-line.h"
#include "cmd/record-line.h"

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

static void add_common(struct record_line *l, const struct mem_opts *o)
{
	if (o->phys_data)
		record_line_add(l, "--phys-data");
	if (o->data_page_size)
		record_line_add(l, "--data-page-size");
	if (o->cpus) {
		record_line_add(l, "-C");
		record_line_add(l, o->cpus);
	}
}

static int run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	unsigned accesses = o->common.accesses ? o->common.accesses : MEMORY_ACCESSES;
	_cleanup_(memory_events_done) struct memory_events events = { 0 };
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r;

	if (memory_line_is_list(&o->line))
		return memory_line_list(inv, &o->line);
	r = memory_line_add(&l, &o->line, accesses, &events, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	add_common(&l, &o->common);
	return record_line_run(&l, inv, "record");
}

static const char *const usage[] = { "[<options>] [<options of perf record>] [<command>]", NULL };

const struct command cmd_mem_record = {
	.name = "mem record",
	.summary = "record accesses to memory",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_WORKLOAD,
	.passes_to = &cmd_record,
	.run = run,
};
