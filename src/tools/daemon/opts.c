/* SPDX-License-Identifier: MIT */
#include "tools/daemon/opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/message.h"
#include "tools/daemon/base-work.h"
#include "tools/daemon/client-work.h"
#include "tools/daemon/plan-work.h"
#include "tools/daemon/protocol-work.h"

const struct option daemon_options[] = {
	OPT_COUNT('v', "verbose", struct daemon_opts, verbose, "show all paths of each session"),
	OPT_STRING('x', "field-separator", struct daemon_opts, separator, "separator",
		   "a line for each, with this between its fields (default: ,)", .missing = ",",
		   .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "base", struct daemon_opts, base, "folder",
		   "folder of the daemon (default: daemon.base of the configuration)"),
	OPT_STRING(0, "config", struct daemon_opts, config, "file",
		   "configuration (default: ~/.perfconfig and /etc/perfconfig)"),
	OPT_END,
};

const struct option daemon_session_options[] = {
	OPT_STRING(0, "session", struct daemon_opts, session, "name", "only this one"),
	OPT_INCLUDE(daemon_options),
	OPT_END,
};

int daemon_fail(const struct invocation *inv, int error, const struct diag *d)
{
	message_print(command_err(inv), "failed: ", error, d);
	return EXIT_FAILED;
}

int daemon_check_words(const struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (!inv->argc)
		return 0;
	diag_set(&diag, -EINVAL, "'%s' is too much", inv->argv[0]);
	return command_usage(inv, &diag);
}

int daemon_open_base(const struct daemon_opts *o, struct daemon_base *ret, struct diag *diag)
{
	_cleanup_(daemon_config_done) struct daemon_config config = { .n = 0 };
	_cleanup_(daemon_plan_done) struct daemon_plan plan = { 0 };
	int r;

	if (o->base)
		return daemon_base_open(o->base, ret, diag);
	r = daemon_config_find(o, &config, diag);
	if (r >= 0)
		r = daemon_config_read(&config, &plan, diag);
	if (r < 0)
		return r;
	if (plan.base)
		return daemon_base_open(plan.base, ret, diag);
	diag_set(diag, -ENOENT, "base not defined");
	diag_hint(diag, "Name it with --base, or in the configuration: [daemon] base = /opt/perf");
	return -ENOENT;
}

static int daemon_opts_ask(const struct daemon_opts *o, struct daemon_command *c,
			   struct daemon_reply *ret, struct diag *diag)
{
	_cleanup_(daemon_base_close) struct daemon_base base = DAEMON_BASE_NONE;
	int r;

	if (o->session && !daemon_name_is_valid(o->session))
		return diag_set(diag, -EINVAL, "'%s' is not a name of a session", o->session);
	if (o->session)
		memcpy(c->session, o->session, strlen(o->session) + 1);
	r = daemon_open_base(o, &base, diag);
	if (r >= 0)
		r = daemon_ask(&base, c, ret, diag);
	if (r >= 0 && ret->error)
		r = diag_set(diag, -EINVAL, "%s", ret->error);
	return r;
}

static void daemon_opts_clean(char **s)
{
	struct text t = TEXT_EMPTY;

	if (!*s || !**s)
		return;
	escape_terminal(&t, *s, strlen(*s));
	free(*s);
	*s = text_take(&t);
}

/*
 * Cleans the texts of a reply. Root may query another user's daemon, which then could write to
 * root's terminal.
 */
static void clean_reply(struct daemon_reply *r)
{
	daemon_opts_clean(&r->base);
	for (size_t i = 0; i < r->sessions.n; i++) {
		daemon_opts_clean(&r->sessions.items[i].name);
		daemon_opts_clean(&r->sessions.items[i].run);
	}
	for (size_t i = 0; i < r->signals.n; i++) {
		daemon_opts_clean(&r->signals.items[i].name);
		daemon_opts_clean(&r->signals.items[i].error);
	}
	for (size_t i = 0; i < r->pings.n; i++) {
		daemon_opts_clean(&r->pings.items[i].name);
		daemon_opts_clean(&r->pings.items[i].error);
	}
}

int daemon_ask_for(const struct invocation *inv, struct daemon_command *c, struct daemon_reply *ret)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = daemon_opts_ask(inv->opts, c, ret, &diag);

	clean_reply(ret);
	return r < 0 ? daemon_fail(inv, r, &diag) : -1;
}
