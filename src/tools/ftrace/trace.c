/* SPDX-License-Identifier: MIT */
/* perf ftrace trace: the output of the kernel's tracers. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/name-list.h"
#include "base/notes.h"
#include "cli/command.h"
#include "tools/ftrace/ftrace-work.h"
#include "tools/ftrace/ftrace.h"
#include "tools/ftrace/explain-work.h"
#include "tools/ftrace/opts.h"
#include "tools/ftrace/text-view.h"

/* Lists all functions, or those that a filter matches. */
static int listed_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	(void)o, (void)diag;
	*(const char **)field = negated ? NULL : value;
	return 0;
}

const struct option ftrace_trace_options[] = {
	OPT_SET(struct ftrace_trace_opts, rq, ftrace_target_options),
	OPT_HEADING("What to trace:"),
	OPT_STRING('t', "tracer", struct ftrace_trace_opts, rq.tracer, "tracer",
		   "the tracer where no functions are given: function_graph or function",
		   .config = "ftrace.tracer"),
	OPT_CALL('F', "funcs", struct ftrace_trace_opts, functions, "filter",
		 "list the functions that can be traced, or those that match: -F'*sleep*'",
		 .set = listed_set, .flags = OPTION_OPTIONAL, .missing = "*"),
	OPT_CALL('T', "trace-funcs", struct ftrace_trace_opts, rq.traced, "func",
		 "these functions (or a pattern), by the function tracer",
		 .set = ftrace_functions_add),
	OPT_CALL('N', "notrace-funcs", struct ftrace_trace_opts, rq.not_traced, "func",
		 "not these functions", .set = ftrace_functions_add),
	OPT_CALL(0, "func-opts", struct ftrace_trace_opts, rq.function, "options",
		 "of the function tracer: call-graph, irq-info", .set = ftrace_function_look_set),
	OPT_CALL('G', "graph-funcs", struct ftrace_trace_opts, rq.graphed, "func",
		 "these functions and all they call, by the function_graph tracer",
		 .set = ftrace_functions_add),
	OPT_CALL('g', "nograph-funcs", struct ftrace_trace_opts, rq.not_graphed, "func",
		 "not these functions and what they call", .set = ftrace_functions_add),
	OPT_CALL(0, "graph-opts", struct ftrace_trace_opts, rq.graph, "options",
		 "of function_graph: args, retval, retval-hex, retaddr, nosleep-time, noirqs, "
		 "verbose, thresh=<us>, depth=<n>, tail",
		 .set = ftrace_graph_look_set),
	OPT_CALL('m', "buffer-size", struct ftrace_trace_opts, rq.buffer_kb, "size",
		 "of the kernel's buffer for each CPU, with a unit: 4M", .set = ftrace_buffer_set),
	OPT_FLAG(0, "inherit", struct ftrace_trace_opts, rq.inherit,
		 "children of the processes too"),
	OPT_UINT('D', "delay", struct ftrace_trace_opts, rq.delay_ms, "ms",
		 "begin so many milliseconds after the command"),
	OPT_END
};

static int ftrace_trace_print_text(void *arg, const char *bytes, size_t n)
{
	const struct invocation *inv = arg;

	trace_text_print(inv->out, bytes, n);
	return fflush(inv->out) ? -errno : 0;
}

/*
 * Ends a command whose output cannot be written. The caller of all commands reports the error;
 * EPIPE is none, because a reader may have had enough.
 */
static int end_output(FILE *out, int error)
{
	if (error == -EPIPE)
		clearerr(out);
	return EXIT_FAILED;
}

static int ftrace_trace_list(struct invocation *inv, const struct ftrace_trace_opts *o,
			     struct diag *diag)
{
	struct name_list names = { 0 };
	int r = ftrace_functions_list(o->rq.tracing, o->functions, &names, diag);

	for (size_t i = 0; i < names.n; i++)
		fprintf(inv->out, "%s\n", names.items[i]);
	name_list_done(&names);
	return r;
}

int ftrace_trace_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *tracing = NULL;
	struct ftrace_trace_opts *o = inv->opts;
	struct notes notes = command_notes(inv);
	int r = ftrace_prepare(inv, &o->rq, &tracing, &diag);

	if (r >= 0)
		r = o->functions
			    ? ftrace_trace_list(inv, o, &diag)
			    : ftrace_trace(&o->rq, ftrace_trace_print_text, inv, &notes, &diag);
	if (ferror(inv->out))
		return end_output(inv->out, r);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

void ftrace_trace_done(void *opts)
{
	struct ftrace_trace_opts *o = opts;

	ftrace_request_done(&o->rq);
}

const struct command cmd_ftrace_trace = {
	.name = "ftrace trace",
	.summary = "show calls of the kernel's functions as they happen",
	.usage = ftrace_usage,
	.options = ftrace_trace_options,
	.opts_size = sizeof(struct ftrace_trace_opts),
	.flags = COMMAND_WORKLOAD | COMMAND_PAGED,
	.run = ftrace_trace_run,
	.done = ftrace_trace_done,
};
