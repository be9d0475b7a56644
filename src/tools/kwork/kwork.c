/* SPDX-License-Identifier: MIT */
/*
 * perf kwork: shows the run times and waiting times of interrupts, softirqs and work items of the
 * kernel.
 */
#include "cli/command.h"
#include "tools/kwork/opts.h"

/* The subcommands in the order of the help. An abbreviation means the first one that fits. */
static const struct command *const subcommands[] = {
	&cmd_kwork_record,   &cmd_kwork_report, &cmd_kwork_latency,
	&cmd_kwork_timehist, &cmd_kwork_top,    NULL,
};

static const char *const usage[] = { "[<options>] {record|report|latency|timehist|top}", NULL };

const struct command cmd_kwork = {
	.name = "kwork",
	.summary = "record and show what the kernel does on its own",
	.usage = usage,
	.options = kwork_options,
	.opts_size = sizeof(struct kwork_opts),
	.subcommands = subcommands,
};
