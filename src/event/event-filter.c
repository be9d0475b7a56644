/* SPDX-License-Identifier: MIT */
#include "event/event.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "event/env.h"
#include "event/filter.h"
#include "kernel/tracefs.h"
#include "tracepoint/format.h"

static int check_one(const struct event *e, const char *text, struct event_env *env,
		     struct diag *diag)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	_cleanup_(freep) char *raw = NULL;
	struct tracefs *fs;
	int r;

	if (!e->tracepoint)
		return filter_check(text, NULL, diag);
	r = event_env_tracefs(env, &fs, diag);
	if (r < 0)
		return r;
	r = tracefs_event_format(fs, e->system, e->tracepoint, &raw);
	if (r < 0)
		return diag_set(diag, r, "cannot read the format of %s:%s", e->system,
				e->tracepoint);
	r = tracepoint_format_parse(raw, &format, diag);
	return r < 0 ? r : filter_check(text, format, diag);
}

/* Several filters for one event all have to hold. */
static void attach(struct event *e, const char *text)
{
	_cleanup_(freep) char *before = e->filter;

	e->filter = before ? xasprintf("(%s) && (%s)", before, text) : xstrdup(text);
}

int event_list_filter(struct event_list *l, const char *text, struct event_env *env,
		      struct diag *diag)
{
	if (l->last == l->n) {
		diag_set(diag, -EINVAL, "--filter must follow the -e that it belongs to");
		return -EINVAL;
	}
	for (size_t i = l->last; i < l->n; i++) {
		int r = check_one(l->items[i], text, env, diag);

		if (r < 0)
			return r;
	}
	for (size_t i = l->last; i < l->n; i++)
		attach(l->items[i], text);
	return 0;
}
