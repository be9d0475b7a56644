/* SPDX-License-Identifier: MIT */
/* perf lock script: runs perf script for a recording of locks. */
#include "base/cleanup.h"
#include "cli/command.h"
#include "options/record-line.h"
#include "tools/lock/opts.h"

static int lock_script_run(struct invocation *inv)
{
	_cleanup_(record_line_done) struct record_line l = { 0 };

	lock_forward(inv->opts, &l);
	return record_line_run(&l, inv, "script");
}

const struct command cmd_lock_script = {
	.name = "lock script",
	.summary = "show the recorded events one by one, as perf script does",
	.flags = COMMAND_FORWARDS,
	.run = lock_script_run,
};
