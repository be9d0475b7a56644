/* SPDX-License-Identifier: MIT */
/* Makes a profile of functions with the function_graph tracer. */
#include <stdlib.h>

#include "kernel/ftrace-names.h"
#include "tools/ftrace/ftrace-work.h"
#include "tools/ftrace/graph-work.h"

static void ftrace_profile_count(void *arg, uint64_t func, uint64_t duration_ns)
{
	function_profile_add(arg, func, duration_ns);
}

static const char *ftrace_profile_find_name(void *arg, uint64_t func)
{
	return function_names_find(arg, func);
}

int ftrace_profile(const struct ftrace_request *rq, enum function_order order, struct notes *notes,
		   struct ftrace_profile *ret, struct diag *diag)
{
	_cleanup_(function_profile_freep) struct function_profile *p = function_profile_new();
	const struct graph_listener listener = { ftrace_profile_count, p };
	struct ftrace_request graph = *rq;
	int r;

	graph.needs_graph = true;
	r = ftrace_graph_run(&graph, &listener, notes, diag);
	if (r >= 0)
		r = function_names_read(&ret->names, diag);
	if (r >= 0)
		function_profile_rows(p, ftrace_profile_find_name, ret->names, order, &ret->rows);
	return r;
}

void ftrace_profile_done(struct ftrace_profile *p)
{
	free(p->rows.items);
	function_names_free(p->names);
}
