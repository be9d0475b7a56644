/* SPDX-License-Identifier: MIT */
/* perf daemon: keeps recordings running; without a subcommand, shows what runs. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "cli/family.h"
#include "tools/daemon/opts.h"
#include "tools/daemon/protocol-work.h"

static const struct command *const subcommands[] = {
	&cmd_daemon_start, &cmd_daemon_stop, &cmd_daemon_signal, &cmd_daemon_ping, NULL,
};

static int tools_daemon_run(struct invocation *inv)
{
	const struct daemon_opts *o = inv->opts;
	_cleanup_(daemon_reply_done) struct daemon_reply reply = { 0 };
	struct daemon_command c = { .verb = DAEMON_LIST };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int status;

	if (inv->argc) {
		family_refuse(inv->command, inv->argv[0], &diag);
		return command_usage(inv, &diag);
	}
	status = daemon_ask_for(inv, &c, &reply);
	if (status >= 0)
		return status;
	daemon_show_list(inv, o, &reply);
	return EXIT_OK;
}

static const char *const usage[] = { "[<options>]", "{start|stop|signal|ping} [<options>]", NULL };

const struct command cmd_daemon = {
	.name = "daemon",
	.summary = "keep recordings running in the background",
	.usage = usage,
	.options = daemon_options,
	.opts_size = sizeof(struct daemon_opts),
	.subcommands = subcommands,
	.run = tools_daemon_run,
};
