/* SPDX-License-Identifier: MIT */
/* perf lock: who waits for locks of the kernel, and how long. */
#include "cli/command.h"
#include "tools/lock/opts.h"

/* In the order of the help; an abbreviation means the first that fits. */
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
