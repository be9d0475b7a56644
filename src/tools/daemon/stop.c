/* SPDX-License-Identifier: MIT */
/* perf daemon stop: ends the sessions, and then the daemon. */
#include "base/cleanup.h"
#include "cli/command.h"
#include "tools/daemon/opts.h"
#include "tools/daemon/protocol-work.h"

static int daemon_stop_run(struct invocation *inv)
{
	_cleanup_(daemon_reply_done) struct daemon_reply reply = { 0 };
	struct daemon_command c = { .verb = DAEMON_STOP };
	int status = daemon_check_words(inv);

	if (status)
		return status;
	status = daemon_ask_for(inv, &c, &reply);
	return status >= 0 ? status : EXIT_OK;
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_daemon_stop = {
	.name = "daemon stop",
	.summary = "end all sessions and the daemon",
	.usage = usage,
	.options = daemon_options,
	.opts_size = sizeof(struct daemon_opts),
	.run = daemon_stop_run,
};
