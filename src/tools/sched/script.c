/* SPDX-License-Identifier: MIT */
/* perf sched script: runs perf script for a recording of the scheduler. */
#include "base/cleanup.h"
#include "cli/command.h"
#include "options/record-line.h"
#include "tools/sched/opts.h"

static int sched_script_run(struct invocation *inv)
{
	const struct sched_opts *o = inv->opts;
	_cleanup_(record_line_done) struct record_line l = { 0 };

	if (o->input) {
		record_line_add(&l, "-i");
		record_line_add(&l, o->input);
	}
	if (o->force)
		record_line_add(&l, "-f");
	if (o->dump_raw)
		record_line_add(&l, "-D");
	for (unsigned i = 0; i < o->verbose; i++)
		record_line_add(&l, "-v");
	return record_line_run(&l, inv, "script");
}

const struct command cmd_sched_script = {
	.name = "sched script",
	.summary = "show the recorded events one by one, as perf script does",
	.flags = COMMAND_FORWARDS,
	.run = sched_script_run,
};
