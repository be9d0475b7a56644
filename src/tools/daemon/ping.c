/* SPDX-License-Identifier: MIT */
/* perf daemon ping: checks whether sessions answer. */
#include "base/cleanup.h"
#include "cli/command.h"
#include "tools/daemon/opts.h"
#include "tools/daemon/protocol-work.h"

struct opts {
	struct daemon_opts common;
	const char *session;
};

static const struct option options[] = {
	OPT_STRING(0, "session", struct opts, session, "name", "only this one"),
	OPT_SET(struct opts, common, daemon_options),
	OPT_END,
};

static int daemon_ping_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(daemon_reply_done) struct daemon_reply reply = { 0 };
	struct daemon_command c = { .verb = DAEMON_PING };
	int status = daemon_check_words(inv);

	if (!status)
		status = daemon_ask_for(inv, &o->common, &c, o->session, &reply);
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
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = daemon_ping_run,
};
