/* SPDX-License-Identifier: MIT */
/* perf timechart record: runs perf record with the tracepoints from which a time chart is drawn. */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "options/record-line.h"
#include "tools/timechart/samples-model.h"
#include "tools/timechart/timechart.h"

struct opts {
	bool power_only, tasks_only, io_only, callchain;
	const char *output;
};

static const struct option options[] = {
	OPT_FLAG('P', "power-only", struct opts, power_only, "only power states of CPUs"),
	OPT_FLAG('T', "tasks-only", struct opts, tasks_only, "only threads"),
	OPT_FLAG('I', "io-only", struct opts, io_only, "only I/O calls"),
	OPT_FLAG('g', "callchain", struct opts, callchain, "with stacks"),
	OPT_STRING('o', "output", struct opts, output, "file",
		   "file to write (default: perf.data)"),
	OPT_END
};

static const struct record_event tasks[] = {
	{ "sched:sched_wakeup", NULL, false },
	{ "sched:sched_switch", NULL, false },
};

/* Power events. Virtual machines and some kernels have no power states. */
static const struct record_event power[] = {
	{ "power:cpu_frequency", NULL, true },
	{ "power:cpu_idle", NULL, true },
};

/* The names of the events of I/O calls. */
struct call_events {
	struct record_event *items;
	char **names;
	size_t n;
};

static void call_events_done(struct call_events *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->names[i]);
	free(e->names);
	free(e->items);
}

/* Returns the events of calls. The available calls depend on the machine. */
static struct call_events call_events(void)
{
	size_t n;
	const struct chart_call_name *calls = chart_call_names(&n);
	struct call_events e = { .items = xcalloc(2 * n, sizeof(*e.items)),
				 .names = xcalloc(2 * n, sizeof(*e.names)),
				 .n = 2 * n };

	for (size_t i = 0; i < e.n; i++) {
		e.names[i] = xasprintf("syscalls:sys_%s_%s", i % 2 ? "exit" : "enter",
				       calls[i / 2].name);
		e.items[i] = (struct record_event){ e.names[i], NULL, true };
	}
	return e;
}

static int timechart_record_refuse(const struct opts *o, struct diag *diag)
{
	diag_set(diag, -ENOENT, "the kernel has no tracepoints of %s",
		 o->io_only ? "I/O calls (syscalls:sys_enter_read ...)"
			    : "power states (power:cpu_idle, power:cpu_frequency)");
	diag_hint(diag, o->io_only ? "Kernels have them if CONFIG_FTRACE_SYSCALLS is set. Without "
				     "-I threads and CPUs are recorded."
				   : "Leave -P out to record threads.");
	return -ENOENT;
}

/* Adds the events. Those that the kernel lacks are omitted, unless nothing would be left. */
static int timechart_record_add_events(struct record_line *l, const struct invocation *inv,
				       const struct call_events *calls, struct diag *diag)
{
	const struct opts *o = inv->opts;
	size_t before = l->n;
	int r = 0;

	if (o->io_only)
		r = record_line_add_events(l, inv, calls->items, calls->n, diag);
	if (r >= 0 && !o->io_only && !o->power_only)
		r = record_line_add_events(l, inv, tasks, ARRAY_SIZE(tasks), diag);
	if (r >= 0 && !o->io_only && !o->tasks_only)
		r = record_line_add_events(l, inv, power, ARRAY_SIZE(power), diag);
	return r >= 0 && l->n == before ? timechart_record_refuse(o, diag) : r;
}

static int timechart_record_run(struct invocation *inv)
{
	static const char *const always[] = { "-a", "-R", "-c", "1" };
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(call_events_done) struct call_events calls = call_events();
	int r;

	if (o->power_only && o->tasks_only) {
		diag_set(&diag, -EINVAL, "-P and -T options cannot be used at the same time.");
		return command_usage(inv, &diag);
	}
	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		record_line_add(&l, always[i]);
	if (o->callchain)
		record_line_add(&l, "-g");
	if (o->output) {
		record_line_add(&l, "-o");
		record_line_add(&l, o->output);
	}
	r = timechart_record_add_events(&l, inv, &calls, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : record_line_run(&l, inv, "record");
}

static const char *const usage[] = { "[<options>] [<command>]",
				     "[<options>] -- <record options> [<command>]", NULL };

const struct command cmd_timechart_record = {
	.name = "timechart record",
	.summary = "record what a time chart is drawn of",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_WORKLOAD,
	.run = timechart_record_run,
};
