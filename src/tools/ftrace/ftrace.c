/* SPDX-License-Identifier: MIT */
/* perf ftrace: the kernel's function tracers. */
#include "tools/ftrace/ftrace.h"

#include <stddef.h>

const char *const ftrace_usage[] = {
	"[<options>] [<command>]",
	"[<options>] -- <command> [<options>]",
	NULL,
};

static const char *const usage[] = {
	"[<options>] [<command>]",
	"[<options>] -- <command> [<options>]",
	"{trace|latency|profile} [<options>] [<command>]",
	"{trace|latency|profile} [<options>] -- <command> [<options>]",
	NULL,
};

static const struct command *const subcommands[] = {
	&cmd_ftrace_trace,
	&cmd_ftrace_latency,
	&cmd_ftrace_profile,
	NULL,
};

const struct command cmd_ftrace = {
	.name = "ftrace",
	.summary = "trace the kernel's functions, with their latencies and a profile",
	.usage = usage,
	.options = ftrace_trace_options,
	.opts_size = sizeof(struct ftrace_trace_opts),
	.flags = COMMAND_WORKLOAD | COMMAND_PAGED,
	.subcommands = subcommands,
	.run = ftrace_trace_run,
	.done = ftrace_trace_done,
};
