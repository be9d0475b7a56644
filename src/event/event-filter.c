/* SPDX-License-Identifier: MIT */
#include "event/event.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "event/data-filter.h"
#include "event/env.h"
#include "event/filter.h"
#include "kernel/tracefs.h"
#include "tracepoint/format.h"

/* True if the filter applies to data: samples have data, while traces have addresses. */
static bool is_of_data(const struct event *e, const char *text, enum event_use use)
{
	return use == EVENT_USE_SAMPLING && !e->tracepoint && !filter_is_of_addresses(text);
}

static int check_one(const struct event *e, const char *text, struct event_env *env,
		     enum event_use use, struct diag *diag)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	_cleanup_(freep) char *raw = NULL;
	struct tracefs *fs;
	int r;

	if (is_of_data(e, text, use)) {
		struct data_filter_items items = e->data_filter ? *e->data_filter
								: (struct data_filter_items){ 0 };

		return data_filter_parse(&items, text, diag);
	}
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

/*
 * Attaches a filter. Several filters for one event all have to hold. The text has already been
 * checked.
 */
static void event_filter_attach(struct event *e, const char *text, enum event_use use)
{
	_cleanup_(freep) char *before = NULL;
	_cleanup_(diag_done) struct diag ignored = { 0 };

	if (is_of_data(e, text, use)) {
		if (!e->data_filter)
			e->data_filter = xcalloc(1, sizeof(*e->data_filter));
		data_filter_parse(e->data_filter, text, &ignored);
		return;
	}
	before = TAKE(e->filter);
	e->filter = before ? xasprintf("(%s) && (%s)", before, text) : xstrdup(text);
}

int event_list_filter(struct event_list *l, const char *text, struct event_env *env,
		      enum event_use use, struct diag *diag)
{
	if (l->last == l->n) {
		diag_set(diag, -EINVAL, "--filter must follow the -e that it belongs to");
		return -EINVAL;
	}
	for (size_t i = l->last; i < l->n; i++) {
		int r = check_one(l->items[i], text, env, use, diag);

		if (r < 0)
			return r;
	}
	for (size_t i = l->last; i < l->n; i++)
		event_filter_attach(l->items[i], text, use);
	return 0;
}
