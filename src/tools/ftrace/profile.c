/* SPDX-License-Identifier: MIT */
/* perf ftrace profile: shows how often functions are called, and how long that takes. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "options/value.h"
#include "tools/ftrace/ftrace-work.h"
#include "tools/ftrace/ftrace.h"
#include "tools/ftrace/opts.h"
#include "tools/ftrace/profile-view.h"

struct opts {
	struct ftrace_request rq;
	enum function_order order;
};

static const struct {
	const char *name;
	enum function_order order;
} orders[] = {
	{ "total", FUNCTION_ORDER_TOTAL }, { "avg", FUNCTION_ORDER_AVERAGE },
	{ "max", FUNCTION_ORDER_MAX },     { "count", FUNCTION_ORDER_CALLS },
	{ "name", FUNCTION_ORDER_NAME },
};

static int ftrace_profile_order_set(void *field, const struct option *o, const char *value,
				    bool negated, struct diag *diag)
{
	(void)negated;
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
		if (!strcmp(orders[i].name, value)) {
			*(enum function_order *)field = orders[i].order;
			return 0;
		}
	return value_refuse(diag, o, value, 0, strlen(value), "Unknown sort key: %s", value);
}

static const struct option options[] = {
	OPT_SET(struct opts, rq, ftrace_target_options),
	OPT_HEADING("What to measure:"),
	OPT_CALL('T', "trace-funcs", struct opts, rq.traced, "func",
		 "these functions (or a pattern)", .set = ftrace_functions_add),
	OPT_CALL('N', "notrace-funcs", struct opts, rq.not_traced, "func", "not these functions",
		 .set = ftrace_functions_add),
	OPT_CALL('G', "graph-funcs", struct opts, rq.graphed, "func",
		 "these functions and all they call", .set = ftrace_functions_add),
	OPT_CALL('g', "nograph-funcs", struct opts, rq.not_graphed, "func",
		 "not these functions and what they call", .set = ftrace_functions_add),
	OPT_CALL(0, "graph-opts", struct opts, rq.graph, "options",
		 "of function_graph: nosleep-time, noirqs, thresh=<us>, depth=<n>",
		 .set = ftrace_profile_look_set),
	OPT_CALL('m', "buffer-size", struct opts, rq.buffer_kb, "size",
		 "of the kernel's buffer for each CPU, with a unit: 4M", .set = ftrace_buffer_set),
	OPT_HEADING("Rows:"),
	OPT_CALL('s', "sort", struct opts, order, "key",
		 "order of the rows: total (the default), avg, max, count or name",
		 .set = ftrace_profile_order_set, .flags = OPTION_NO_NEGATION),
	OPT_END
};

static int ftrace_profile_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *tracing = NULL;
	struct opts *o = inv->opts;
	struct notes notes = command_notes(inv);
	struct ftrace_profile p = { 0 };
	int r = ftrace_prepare(inv, &o->rq, &tracing, &diag);

	if (r >= 0)
		r = ftrace_profile(&o->rq, o->order, &notes, &p, &diag);
	if (r >= 0)
		function_rows_print(inv->out, &p.rows);
	ftrace_profile_done(&p);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static void tools_ftrace_profile_done(void *opts)
{
	struct opts *o = opts;

	ftrace_request_done(&o->rq);
}

const struct command cmd_ftrace_profile = {
	.name = "ftrace profile",
	.summary = "show which functions take how much time",
	.usage = ftrace_usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_WORKLOAD | COMMAND_PAGED,
	.run = ftrace_profile_run,
	.done = tools_ftrace_profile_done,
};
