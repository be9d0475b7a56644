/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options that the subcommands of perf ftrace share, over a struct ftrace_request, and the
 * preparation of that request.
 */
#include "cli/option.h"
#include "tools/ftrace/request-work.h"

struct diag;
struct invocation;

/* Options -p, --tid, -a, -C and -v, with a heading. */
extern const struct option ftrace_target_options[];

/* Sets -m, for a `uint64_t` of kilobytes. */
option_set_fn ftrace_buffer_set;

/* Adds one more function to a `struct ftrace_functions`: -T, -N, -G, -g. */
option_set_fn ftrace_functions_add;

/*
 * Set the words of --func-opts and --graph-opts in a struct ftrace_function_look or
 * ftrace_graph_look.
 */
option_set_fn ftrace_function_look_set, ftrace_graph_look_set, ftrace_profile_look_set;

/*
 * Finds the tracing directory, which the caller frees, and settles the target and the command of
 * the request. Returns a negative errno with @diag.
 */
int ftrace_prepare(const struct invocation *inv, struct ftrace_request *rq, char **ret_tracing,
		   struct diag *diag);
