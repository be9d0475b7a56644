/* SPDX-License-Identifier: MIT */
/* perf kwork record: runs perf record for interrupts, softirqs and work items, on all CPUs. */
#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "options/record-line.h"
#include "tools/kwork/opts.h"

static int kwork_record_add_class(struct record_line *l, const struct invocation *inv,
				  enum kwork_class class, struct diag *diag)
{
	int r = 0;

	for (const char *const *t = kwork_class_names[class].tracepoints; *t && r >= 0; t++)
		r = record_line_add_events(l, inv, &(struct record_event){ .name = *t }, 1, diag);
	return r;
}

static int kwork_record_run(struct invocation *inv)
{
	static const char *const always[] = { "-a", "-R", "-m", "1024", "-c", "1" };
	const struct kwork_opts *o = inv->opts;
	const struct kwork_classes classes = kwork_classes_or_usual(o);
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		record_line_add(&l, always[i]);
	for (unsigned i = 0; i < o->verbose; i++)
		record_line_add(&l, "-v");
	for (size_t i = 0; i < classes.n && r >= 0; i++)
		r = kwork_record_add_class(&l, inv, classes.items[i], &diag);
	return r < 0 ? command_fail(inv, r, &diag) : record_line_run(&l, inv, "record");
}

const struct command cmd_kwork_record = {
	.name = "kwork record",
	.summary = "record interrupts, softirqs and work items, on all CPUs",
	.flags = COMMAND_FORWARDS,
	.run = kwork_record_run,
};
