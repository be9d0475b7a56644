/* SPDX-License-Identifier: MIT */
/* Latencies of a function by the function_graph tracer. */
#include "job/ftrace-graph.h"
#include "job/ftrace.h"

static void count(void *arg, uint64_t func, uint64_t duration_ns)
{
	(void)func;
	latency_add(arg, duration_ns);
}

int ftrace_latency(const struct ftrace_request *rq, struct latency *l, struct notes *notes,
		   struct diag *diag)
{
	const struct graph_listener listener = { count, l };
	struct ftrace_request graph = *rq;

	graph.needs_graph = true;
	return ftrace_graph_run(&graph, &listener, notes, diag);
}
