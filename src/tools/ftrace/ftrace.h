/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The subcommands of perf ftrace. Without one of their words, it is `trace`.
 */
#include "cli/command.h"
#include "tools/ftrace/request-work.h"

extern const struct command cmd_ftrace_trace, cmd_ftrace_latency, cmd_ftrace_profile;

struct ftrace_trace_opts {
	struct ftrace_request rq;
	const char *functions; /* list these functions; NULL: no listing */
};

extern const struct option ftrace_trace_options[];
int ftrace_trace_run(struct invocation *inv);
void ftrace_trace_done(void *opts);

/* The text after "perf ftrace trace". */
extern const char *const ftrace_usage[];
