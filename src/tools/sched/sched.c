/* SPDX-License-Identifier: MIT */
/* perf sched: shows the work of the scheduler, from a recording of its tracepoints. */
#include "cli/command.h"
#include "tools/sched/opts.h"

/* The subcommands in the order of the help. An abbreviation means the first one that fits. */
static const struct command *const subcommands[] = {
	&cmd_sched_record, &cmd_sched_latency,
	&cmd_sched_map,    &cmd_sched_replay,
	&cmd_sched_script, &cmd_sched_timehist,
	&cmd_sched_queue,  &cmd_sched_chains,
	&cmd_sched_stats,  NULL,
};

static const char *const usage[] = {
	"[<options>] {record|latency|map|replay|script|timehist|stats|queue|chains}", NULL
};

const struct command cmd_sched = {
	.name = "sched",
	.summary = "record and show what the scheduler does",
	.usage = usage,
	.options = sched_options,
	.opts_size = sizeof(struct sched_opts),
	.subcommands = subcommands,
};
