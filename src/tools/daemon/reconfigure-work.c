/* SPDX-License-Identifier: MIT */
/* Makes a daemon follow its configuration. */
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "tools/daemon/internal-work.h"
#include "tools/daemon/session-work.h"

static struct daemon_session *daemon_reconfigure_find(const struct daemon *d, const char *name)
{
	for (size_t i = 0; i < d->sessions.n; i++)
		if (!strcmp(d->sessions.items[i]->plan.name, name))
			return d->sessions.items[i];
	return NULL;
}

static void daemon_reconfigure_add(struct daemon *d, struct daemon_session_plan *plan,
				   int64_t now_ms)
{
	d->sessions.items = array_reserve(d->sessions.items, &d->sessions.room, d->sessions.n + 1,
					  sizeof(d->sessions.items[0]));
	d->sessions.items[d->sessions.n++] = daemon_session_new(plan, now_ms);
}

/* Changes the plan of @s. The plans are swapped, so the old one is released with @plan. */
static void daemon_reconfigure_change(struct daemon *d, struct daemon_session *s,
				      struct daemon_session_plan *plan, int64_t now_ms)
{
	bool same = daemon_words_are_equal(&s->plan.words, &plan->words) && !s->is_going;
	struct daemon_session_plan old = s->plan;

	s->plan = *plan;
	*plan = old;
	if (same)
		return;
	if (s->pid)
		daemon_log_add(&d->log, "reconfig: session '%s' changed: ending %ld", s->plan.name,
			       (long)s->pid);
	s->failures = 0;
	daemon_session_stop(s, false, now_ms);
}

static void end_others(struct daemon *d, const struct daemon_plan *plan, int64_t now_ms)
{
	for (size_t i = 0; i < d->sessions.n; i++) {
		struct daemon_session *s = d->sessions.items[i];

		if (s->is_going || daemon_plan_find(plan, s->plan.name))
			continue;
		daemon_log_add(&d->log, "reconfig: session '%s' is no longer configured",
			       s->plan.name);
		daemon_session_stop(s, true, now_ms);
	}
}

void daemon_reconfigure(struct daemon *d, int64_t now_ms)
{
	_cleanup_(daemon_plan_done) struct daemon_plan plan = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (d->is_ending)
		return;
	if (d->rq.read_plan(d->rq.arg, &plan, &diag) < 0) {
		daemon_log_diag(&d->log, "reconfig: nothing changes: ", &diag);
		return;
	}
	end_others(d, &plan, now_ms);
	d->max_bytes = plan.max_bytes;
	for (size_t i = 0; i < plan.n; i++) {
		struct daemon_session *s = daemon_reconfigure_find(d, plan.items[i].name);

		if (s)
			daemon_reconfigure_change(d, s, &plan.items[i], now_ms);
		else
			daemon_reconfigure_add(d, &plan.items[i], now_ms);
	}
}

void daemon_start_session(struct daemon *d, struct daemon_session *s, int64_t now_ms)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (daemon_session_start(s, d->rq.base, d->rq.program, now_ms, &diag) >= 0) {
		_cleanup_(freep) char *folder = xasprintf("%s/session-%s", d->rq.base->path,
							  s->plan.name);

		daemon_watch_add_folder(&d->folders, folder);
		daemon_log_add(&d->log, "reconfig: running session [%s:%ld]: %s", s->plan.name,
			       (long)s->pid, s->plan.run);
		return;
	}
	daemon_log_diag(&d->log, "", &diag);
	if (daemon_is_full(d)) {
		s->state = DAEMON_NO_ROOM;
		s->next_ms = now_ms + (int64_t)DAEMON_ROOM_WAIT_S * 1000;
	}
	daemon_log_add(&d->log, "session '%s' is tried again in %lld s", s->plan.name,
		       (long long)(s->next_ms - now_ms) / 1000);
}
