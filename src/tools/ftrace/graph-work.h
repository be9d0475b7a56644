/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The calls that function_graph records, from the pages of all CPUs (per_cpu/cpuN/trace_pipe_raw).
 */
#include "tools/ftrace/graph-calls-model.h"

struct diag;
struct ftrace_request;
struct notes;

/*
 * Runs like ftrace_run() and calls @listener for all calls. Notes on lost calls go to @notes.
 * Errors are those of ftrace_run().
 */
int ftrace_graph_run(const struct ftrace_request *rq, const struct graph_listener *listener,
		     struct notes *notes, struct diag *diag);
