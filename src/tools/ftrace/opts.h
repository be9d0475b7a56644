/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the subcommands of perf ftrace share: options over a struct ftrace_request, and what is done
 * with it before the job.
 */
#include "cli/option.h"
#include "tools/ftrace/request-work.h"

struct diag;
struct invocation;

/* -p, --tid, -a, -C and -v, with a heading. */
extern const struct option ftrace_target_options[];

/* -m, for the field `uint64_t` kilobytes. */
option_set_fn ftrace_buffer_set;

/* One more function for a `struct ftrace_functions`: -T, -N, -G, -g. */
option_set_fn ftrace_functions_add;

/* Words of --func-opts and --graph-opts for a struct ftrace_function_look, ftrace_graph_look. */
option_set_fn ftrace_function_look_set, ftrace_graph_look_set, ftrace_profile_look_set;

/*
 * Finds the tracing directory, which the caller frees, and settles the target and the command of
 * the request. A negative errno with @diag.
 */
int ftrace_prepare(const struct invocation *inv, struct ftrace_request *rq, char **ret_tracing,
		   struct diag *diag);
