/* SPDX-License-Identifier: MIT */
/* The answers of a daemon. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/similar.h"
#include "tools/daemon/internal-work.h"
#include "tools/daemon/session-work.h"

/* A session answers within this time; otherwise it hangs. */
#define PING_MS 3000

static bool daemon_serve_is_meant(const struct daemon_session *s, const struct daemon_command *cmd)
{
	if (s->is_going)
		return false;
	/* A session that has ended by itself is left out, unless it is named. */
	return cmd->session[0] ? !strcmp(cmd->session, s->plan.name) : s->state != DAEMON_ENDED;
}

static char *not_found(const struct daemon *d, const char *name)
{
	struct similar similar = { .typed = name };
	_cleanup_(freep) char *phrase = NULL;

	for (size_t i = 0; i < d->sessions.n; i++)
		similar_add(&similar, d->sessions.items[i]->plan.name);
	phrase = similar_phrase(&similar);
	return phrase ? xasprintf("there is no session '%s': did you mean %s?", name, phrase)
		      : xasprintf("there is no session '%s'", name);
}

static void daemon_serve_list(struct daemon *d, struct daemon_reply *r, int64_t now_ms)
{
	r->base = xstrdup(d->rq.base->path);
	r->pid = (uint64_t)getpid();
	r->up_s = (uint64_t)(now_ms - d->started_ms) / 1000;
	r->is_full = daemon_is_full(d);
	if (daemon_has_limits(d))
		daemon_rotate(d);
	for (size_t i = 0; i < d->sessions.n; i++)
		if (!d->sessions.items[i]->is_going)
			daemon_session_status(d->sessions.items[i], now_ms,
					      ARRAY_ADD(&r->sessions));
}

static void daemon_serve_send_signals(struct daemon *d, const struct daemon_command *cmd,
				      struct daemon_reply *r)
{
	for (size_t i = 0; i < d->sessions.n; i++) {
		const struct daemon_session *s = d->sessions.items[i];
		struct daemon_outcome *o;

		if (!daemon_serve_is_meant(s, cmd))
			continue;
		o = ARRAY_ADD(&r->signals);
		o->name = xstrdup(s->plan.name);
		o->pid = (uint64_t)s->pid;
		o->signal = SIGUSR2;
		o->error = xstrdup(!s->pid                     ? "does not run"
				   : kill(s->pid, SIGUSR2) < 0 ? strerror(errno)
							       : "");
	}
	if (!r->signals.n && cmd->session[0])
		r->error = not_found(d, cmd->session);
}

/* Pings all selected sessions. Returns true if some have yet to answer. */
static bool daemon_serve_ping(struct daemon *d, const struct daemon_command *cmd,
			      struct daemon_reply *r)
{
	bool waits = false;

	for (size_t i = 0; i < d->sessions.n; i++) {
		struct daemon_session *s = d->sessions.items[i];
		struct daemon_outcome *o;
		int sent;

		if (!daemon_serve_is_meant(s, cmd))
			continue;
		o = ARRAY_ADD(&r->pings);
		o->name = xstrdup(s->plan.name);
		o->pid = (uint64_t)s->pid;
		sent = daemon_session_ping(s);
		if (sent < 0)
			o->error = xstrdup(sent == -EPIPE ? "not running" : strerror(-sent));
		waits |= sent >= 0;
	}
	if (!r->pings.n && cmd->session[0]) {
		struct daemon_outcome *o = ARRAY_ADD(&r->pings);

		o->name = xstrdup(cmd->session);
		o->error = xstrdup("not found");
	}
	return waits;
}

void daemon_serve(void *arg, struct daemon_client *c, const struct daemon_command *cmd)
{
	_cleanup_(daemon_reply_done) struct daemon_reply r = { 0 };
	struct daemon *d = arg;
	int64_t now_ms = clock_ms();

	if (cmd->verb == DAEMON_STOP) {
		d->wants_end = true;
		c->waits_for_end = true;
		return;
	}
	if (cmd->verb == DAEMON_PING && daemon_serve_ping(d, cmd, &c->pings)) {
		c->end_ms = now_ms + PING_MS;
		return;
	}
	if (cmd->verb == DAEMON_LIST)
		daemon_serve_list(d, &r, now_ms);
	else if (cmd->verb == DAEMON_SIGNAL)
		daemon_serve_send_signals(d, cmd, &r);
	daemon_client_answer(c, cmd->verb == DAEMON_PING ? &c->pings : &r, now_ms);
}
