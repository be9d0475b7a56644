/* SPDX-License-Identifier: MIT */
/*
 * perf ftrace latency: measures how long calls of a function take, or the time between two events.
 */
#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "tools/ftrace/ftrace-work.h"
#include "tools/ftrace/ftrace.h"
#include "tools/ftrace/latency-model.h"
#include "tools/ftrace/latency-view.h"
#include "tools/ftrace/opts.h"

struct opts {
	struct ftrace_latency_request rq;
	struct latency_scale scale;
	bool hides_empty;
};

static const struct option options[] = {
	OPT_SET(struct opts, rq.what, ftrace_target_options),
	OPT_HEADING("What to measure:"),
	OPT_CALL('T', "trace-funcs", struct opts, rq.what.traced, "func", "calls of this function",
		 .set = ftrace_functions_add),
	OPT_STRING('e', "events", struct opts, rq.events, "event1,event2",
		   "the time from one event to another of the same thread"),
	OPT_FLAG('b', "use-bpf", struct opts, rq.uses_bpf,
		 "count in the kernel by a BPF program, without the function_graph tracer"),
	OPT_HEADING("Rows:"),
	OPT_FLAG('n', "use-nsec", struct opts, scale.uses_nsec,
		 "in nanoseconds instead of microseconds"),
	OPT_UINT(0, "bucket-range", struct opts, scale.range, "n",
		 "rows of this size, in us or ns (-n), instead of powers of two"),
	OPT_UINT(0, "min-latency", struct opts, scale.min, "n",
		 "where the second row begins; with --bucket-range"),
	OPT_UINT(0, "max-latency", struct opts, scale.max, "n",
		 "where the last row begins; with --bucket-range"),
	OPT_FLAG(0, "hide-empty", struct opts, hides_empty, "leave out rows without counts"),
	OPT_END
};

static int ftrace_latency_check(const struct opts *o, struct diag *diag)
{
	size_t n = o->rq.what.traced.n;

	if (!n && !o->rq.events) {
		diag_set(diag, -EINVAL, "Should provide a function or events to measure");
		diag_hint(diag, "-T do_nanosleep, or -b -e irq:softirq_entry,irq:softirq_exit");
		return -EINVAL;
	}
	if (n && o->rq.events)
		return diag_set(diag, -EINVAL, "-T and -e are two things to measure: choose one");
	if (n > 1)
		return diag_set(diag, -EINVAL, "-T measures one function, not %zu", n);
	if (o->rq.events && !o->rq.uses_bpf)
		return diag_set(diag, -EINVAL,
				"-e needs -b: the times between events are counted in the kernel");
	return 0;
}

static int ftrace_latency_measure(struct invocation *inv, struct latency *l, struct diag *diag)
{
	struct opts *o = inv->opts;
	_cleanup_(freep) char *tracing = NULL;
	struct notes notes = command_notes(inv);
	int r = ftrace_prepare(inv, &o->rq.what, &tracing, diag);

	return r < 0 ? r : ftrace_latency(&o->rq, l, &notes, diag);
}

/*
 * Returns the layout. Features that Linux's perf 6.1 does not have are shown as in later versions.
 */
static struct latency_layout ftrace_latency_layout(const struct opts *o)
{
	bool is_new = o->scale.range || o->hides_empty || o->rq.events;

	return (struct latency_layout){ .is_new = is_new,
					.hides_empty = o->hides_empty,
					.has_statistics = is_new || o->rq.what.verbose };
}

static int ftrace_latency_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct opts *o = inv->opts;
	const struct latency_layout look = ftrace_latency_layout(o);
	struct latency l;
	int r = ftrace_latency_check(o, &diag);

	if (r >= 0)
		r = latency_init(&l, &o->scale, &diag);
	if (r < 0)
		return command_usage(inv, &diag);
	r = ftrace_latency_measure(inv, &l, &diag);
	if (r >= 0)
		latency_print(inv->out, &l, &look);
	latency_done(&l);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static void ftrace_latency_done(void *opts)
{
	struct opts *o = opts;

	ftrace_request_done(&o->rq.what);
}

const struct command cmd_ftrace_latency = {
	.name = "ftrace latency",
	.summary = "show how long calls of a function take",
	.usage = ftrace_usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_WORKLOAD | COMMAND_PAGED,
	.run = ftrace_latency_run,
	.done = ftrace_latency_done,
};
