/* SPDX-License-Identifier: MIT */
#include "session/event-switch.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "session/session.h"

static int event_switch_find(const struct session *s, const char *option, const char *name,
			     const struct session_event **ret, struct diag *diag)
{
	if (!name)
		return 0;
	for (size_t i = 0; i < session_event_count(s); i++)
		if (!strcmp(session_event(s, i)->name, name)) {
			*ret = session_event(s, i);
			return 0;
		}
	diag_set(diag, -EINVAL, "%s event not found (%s)", option, name);
	diag_hint(diag, "`perf evlist' lists the events of the recording.");
	return -EINVAL;
}

int event_switch_init(struct event_switch *w, const struct session *s, const char *on,
		      const char *off, struct diag *diag)
{
	int r = event_switch_find(s, "switch-on", on, &w->on, diag);

	if (r >= 0)
		r = event_switch_find(s, "switch-off", off, &w->off, diag);
	w->is_off = w->on;
	return r;
}

bool event_switch_leaves_out(struct event_switch *w, const struct session_event *e)
{
	const struct session_event *turns = w->is_off ? w->on : w->off;

	if (!turns || e != turns)
		return w->is_off;
	w->is_off = !w->is_off;
	return !w->shows;
}
