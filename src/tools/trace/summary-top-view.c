/* SPDX-License-Identifier: MIT */
#include "tools/trace/summary-top-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/trace/summary-model.h"

/* The maximum number of calls, which is more than anybody compares at a glance. */
#define CALLS_MAX 100

static double trace_summary_top_msec(double ns)
{
	return ns / 1e6;
}

/* Appends "ls/29001", or the path of a cgroup, or nothing for the total. */
static void trace_summary_top_add_group(struct text *t, const struct trace_summary_group *g,
					enum trace_summary_mode mode)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	if (mode == TRACE_SUMMARY_TOTAL)
		return;
	escape_terminal(&name, g->name, strlen(g->name));
	if (mode == TRACE_SUMMARY_THREAD)
		text_addf(&name, "/%" PRIu64, g->id);
	text_addf(t, " %s", name.chars);
}

static void trace_summary_top_add_call(struct text *t, const struct trace_summary_line *l,
				       enum trace_summary_mode mode)
{
	const struct trace_summary_call *c = l->call;

	text_addf(t, " %-15s %9" PRIu64 " %6" PRIu64 " %10.3f %9.3f %9.3f", c->name, c->calls,
		  c->errors, trace_summary_top_msec((double)c->total_ns),
		  trace_summary_top_msec(c->duration_ns.mean),
		  trace_summary_top_msec((double)c->max_ns));
	trace_summary_top_add_group(t, l->group, mode);
}

void trace_top_print(FILE *out, struct trace_summary *s, uint64_t elapsed_ns, size_t max)
{
	struct trace_summary_line top[CALLS_MAX];
	enum trace_summary_mode mode = trace_summary_mode(s);
	size_t room = max < CALLS_MAX ? max : CALLS_MAX, all = trace_summary_top(s, top, room);
	size_t shown = all < room ? all : room;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_addf(&t, " After %.1f s, most time first; %zu of %zu:\n", (double)elapsed_ns / 1e9,
		  shown, all);
	text_addf(&t, " %-15s %9s %6s %10s %9s %9s%s\n", "syscall", "calls", "errors", "total ms",
		  "avg ms", "max ms", mode == TRACE_SUMMARY_TOTAL ? "" : " of");
	for (size_t i = 0; i < shown; i++) {
		trace_summary_top_add_call(&t, &top[i], mode);
		text_add_char(&t, '\n');
	}
	fwrite(t.chars, 1, t.length, out);
}
