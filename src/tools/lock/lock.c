/* SPDX-License-Identifier: MIT */
/* perf lock: shows waits for locks of the kernel, and their times. */
#include "cli/command.h"
#include "tools/lock/opts.h"

/* The subcommands in the order of the help. An abbreviation means the first one that fits. */
static const struct command *const subcommands[] = {
	&cmd_lock_record, &cmd_lock_report,     &cmd_lock_script,
	&cmd_lock_info,   &cmd_lock_contention, NULL,
};

static const char *const usage[] = { "[<options>] {record|report|script|info|contention}", NULL };

const struct command cmd_lock = {
	.name = "lock",
	.summary = "record and show who waits for locks",
	.usage = usage,
	.options = lock_options,
	.opts_size = sizeof(struct lock_opts),
	.subcommands = subcommands,
};
