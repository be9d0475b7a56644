/* SPDX-License-Identifier: MIT */
/*
 * perf daemon signal: sends SIGUSR2 to sessions, which then complete the file that they are
 * writing.
 */
#include <inttypes.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "tools/daemon/opts.h"
#include "tools/daemon/protocol-work.h"

/* Shows the outcome. Returns true if the signal was sent. */
static bool daemon_signal_show(const struct invocation *inv, const struct daemon_outcome *o)
{
	if (!*o->error) {
		fprintf(inv->out, "signal %" PRIu64 " sent to session '%s [%" PRIu64 "]'\n",
			o->signal, o->name, o->pid);
		return true;
	}
	fprintf(command_err(inv), "failed: session '%s' %s\n", o->name, o->error);
	return false;
}

static int daemon_signal_run(struct invocation *inv)
{
	_cleanup_(daemon_reply_done) struct daemon_reply reply = { 0 };
	struct daemon_command c = { .verb = DAEMON_SIGNAL };
	int status = daemon_check_words(inv);

	if (!status)
		status = daemon_ask_for(inv, &c, &reply);
	if (status >= 0)
		return status;
	status = EXIT_OK;
	for (size_t i = 0; i < reply.signals.n; i++)
		if (!daemon_signal_show(inv, &reply.signals.items[i]))
			status = EXIT_FAILED;
	return status;
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_daemon_signal = {
	.name = "daemon signal",
	.summary = "have sessions complete the file that they write",
	.usage = usage,
	.options = daemon_session_options,
	.opts_size = sizeof(struct daemon_opts),
	.run = daemon_signal_run,
};
