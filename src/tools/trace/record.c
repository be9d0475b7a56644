/* SPDX-License-Identifier: MIT */
/* perf trace record: runs perf record with the tracepoints from which perf trace -i makes calls. */
#include "base/cleanup.h"
#include "cli/command.h"
#include "options/record-line.h"
#include "tools/trace/opts.h"

static void trace_record_add_event(struct record_line *l, const char *event)
{
	record_line_add(l, "-e");
	record_line_add(l, event);
}

int trace_record(struct invocation *inv)
{
	static const char *const always[] = { "-R", "-m", "1024", "-c", "1" };
	const struct trace_opts *o = inv->opts;
	_cleanup_(record_line_done) struct record_line l = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		record_line_add(&l, always[i]);
	if (o->syscalls != CHOICE_NO)
		trace_record_add_event(&l, "raw_syscalls:sys_enter,raw_syscalls:sys_exit");
	if (o->rq.faults & TRACE_FAULTS_MAJOR)
		trace_record_add_event(&l, "major-faults");
	if (o->rq.faults & TRACE_FAULTS_MINOR)
		trace_record_add_event(&l, "minor-faults");
	inv->argv++; /* skips the word itself */
	return record_line_run(&l, inv, "record");
}
