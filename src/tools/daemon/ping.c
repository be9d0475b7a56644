/* SPDX-License-Identifier: MIT */
/* perf daemon ping: checks whether sessions answer. */
#include "base/cleanup.h"
#include "cli/command.h"
#include "tools/daemon/opts.h"
#include "tools/daemon/protocol-work.h"

static int daemon_ping_run(struct invocation *inv)
{
	_cleanup_(daemon_reply_done) struct daemon_reply reply = { 0 };
	struct daemon_command c = { .verb = DAEMON_PING };
	int status = daemon_check_words(inv);

	if (!status)
		status = daemon_ask_for(inv, &c, &reply);
	if (status >= 0)
		return status;
	status = EXIT_OK;
	for (size_t i = 0; i < reply.pings.n; i++) {
		const struct daemon_outcome *p = &reply.pings.items[i];

		if (*p->error) {
			fprintf(inv->out, "FAIL %s (%s)\n", p->name, p->error);
			status = EXIT_FAILED;
		} else {
			fprintf(inv->out, "OK   %s\n", p->name);
		}
	}
	return status;
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_daemon_ping = {
	.name = "daemon ping",
	.summary = "ask sessions whether they live",
	.usage = usage,
	.options = daemon_session_options,
	.opts_size = sizeof(struct daemon_opts),
	.run = daemon_ping_run,
};
