/* SPDX-License-Identifier: MIT */
/* Measures latencies of a function with the function_graph tracer, or with counts by the kernel. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "kernel/function-probe.h"
#include "kernel/perf-event.h"
#include "pairs/hist.h"
#include "pairs/pair-rule.h"
#include "tools/ftrace/explain-work.h"
#include "tools/ftrace/ftrace-work.h"
#include "tools/ftrace/graph-work.h"
#include "tools/ftrace/settings-work.h"
#include "wire/attr.h"

static void ftrace_latency_count(void *arg, uint64_t func, uint64_t duration_ns)
{
	(void)func;
	latency_add(arg, duration_ns);
}

static int read_graph(const struct ftrace_request *rq, struct latency *l, struct notes *notes,
		      struct diag *diag)
{
	const struct graph_listener listener = { ftrace_latency_count, l };
	struct ftrace_request graph = *rq;

	graph.needs_graph = true;
	return ftrace_graph_run(&graph, &listener, notes, diag);
}

static void ftrace_latency_on_table(void *arg, const struct histogram *h, uint64_t time_ns)
{
	struct latency *l = arg;

	(void)time_ns;
	memcpy(l->rows.counts, h->counts, histogram_rows(h) * sizeof(*h->counts));
}

/* Counts with perf hist, in the rows of @l. */
static int run_hist(struct hist_request *h, struct latency *l, struct notes *notes,
		    struct diag *diag)
{
	struct record_result result;

	h->scale = (struct histogram_scale){
		.kind = HISTOGRAM_GIVEN,
		.given = { .items = l->rows.bounds, .n = l->rows.n_bounds },
	};
	h->unit_ns = latency_unit_ns(&l->scale);
	h->sums = &l->sums;
	h->bpf = CHOICE_YES;
	h->listener = (struct hist_listener){ .table = ftrace_latency_on_table, .arg = l };
	return hist_run(h, notes, &result, diag);
}

/*
 * Checks that a probe can be set in the function. For the kernel, a function that does not exist is
 * an event that does not exist. Other errors are explained when the probe is set.
 */
static int ftrace_latency_check_function(const struct ftrace_request *rq, struct diag *diag)
{
	const char *function = rq->traced.items[0];
	const struct ftrace_setting s = { "set_ftrace_filter", (char *)function, true, "-T" };
	_cleanup_(closep) int fd = -1;
	struct attr attr;
	int r;

	if (glob_is_pattern(function))
		return diag_set(diag, -EINVAL,
				"-b counts the calls of one function, and '%s' is a pattern",
				function);
	r = function_probe_attr(NULL, function, false, &attr, diag);
	if (r < 0)
		return r;
	fd = perf_event_open(&attr, 0, -1, -1, 0);
	return fd == -ENOENT || fd == -EINVAL || fd == -EADDRNOTAVAIL
		       ? ftrace_explain_setting(rq->tracing, &s, -EINVAL, diag)
		       : 0;
}

static int count_in_kernel(const struct ftrace_latency_request *rq, struct latency *l,
			   struct notes *notes, struct diag *diag)
{
	const struct ftrace_request *what = &rq->what;
	struct hist_request h = { .argv = what->argv,
				  .target = what->target,
				  .function = rq->events ? NULL : what->traced.items[0],
				  .verbose = what->verbose };
	struct typed_pair typed = { 0 };
	int r = rq->events ? typed_pair_parse(rq->events, NULL, &typed, diag)
			   : ftrace_latency_check_function(what, diag);

	h.pairs = &typed.spec;
	if (r >= 0)
		r = run_hist(&h, l, notes, diag);
	typed_pair_done(&typed);
	return r;
}

int ftrace_latency(const struct ftrace_latency_request *rq, struct latency *l, struct notes *notes,
		   struct diag *diag)
{
	return rq->uses_bpf ? count_in_kernel(rq, l, notes, diag)
			    : read_graph(&rq->what, l, notes, diag);
}
