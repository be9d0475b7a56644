/* SPDX-License-Identifier: MIT */
/* perf sched record: runs perf record for the events of the scheduler, on all CPUs. */
#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "options/record-line.h"
#include "tools/sched/opts.h"

/* The events. Kernels without CONFIG_SCHEDSTATS lack the three times. */
static const struct record_event events[] = {
	{ .name = "sched:sched_switch" },
	{ .name = "sched:sched_stat_wait", .optional = true },
	{ .name = "sched:sched_stat_sleep", .optional = true },
	{ .name = "sched:sched_stat_iowait", .optional = true },
	{ .name = "sched:sched_stat_runtime" },
	{ .name = "sched:sched_process_fork" },
	{ .name = "sched:sched_wakeup_new" },
	{ .name = "sched:sched_migrate_task" },
	/* This event occurs in the waker's context, so it shows which task woke which. */
	{ .name = "sched:sched_waking", .or_else = "sched:sched_wakeup" },
};

static void sched_record_warn_unused(const struct invocation *inv)
{
	const struct sched_opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (!o->input && !o->force && !o->dump_raw)
		return;
	diag_set(&diag, 0, "%s before 'record' has no effect: nothing is read",
		 o->input   ? "-i"
		 : o->force ? "-f"
			    : "-D");
	if (o->input)
		diag_hint(&diag, "The file that is written is named after it: perf sched record "
				 "-o FILE");
	command_warn(inv, &diag);
}

static int sched_record_run(struct invocation *inv)
{
	static const char *const always[] = { "-a", "-R", "-m", "1024", "-c", "1" };
	const struct sched_opts *o = inv->opts;
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r;

	sched_record_warn_unused(inv);
	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		record_line_add(&l, always[i]);
	for (unsigned i = 0; i < o->verbose; i++)
		record_line_add(&l, "-v");
	r = record_line_add_events(&l, inv, events, ARRAY_SIZE(events), &diag);
	return r < 0 ? command_fail(inv, r, &diag) : record_line_run(&l, inv, "record");
}

const struct command cmd_sched_record = {
	.name = "sched record",
	.summary = "record what the scheduler does, on all CPUs",
	.flags = COMMAND_FORWARDS,
	.run = sched_record_run,
};
