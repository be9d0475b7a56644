/* SPDX-License-Identifier: MIT */
#include "cmd/opt/events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "event/pfm.h"
#include "probe/attach.h"

void event_opts_done(struct event_opts *e)
{
	free(e->items);
	*e = (struct event_opts){ 0 };
}

bool event_opts_have(const struct event_opts *e, enum event_opt_kind kind)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->items[i].kind == kind)
			return true;
	return false;
}

static int add(struct event_opts *e, enum event_opt_kind kind, const char *text)
{
	*ARRAY_ADD(e) = (struct event_opt){ kind, text };
	return 0;
}

static int add_to_event(struct event_opts *e, const struct option *o, enum event_opt_kind kind,
			const char *text, struct diag *diag)
{
	if (!event_opts_have(e, EVENT_OPT_EVENT) && !event_opts_have(e, EVENT_OPT_PFM)) {
		diag_set(diag, -EINVAL,
			 "--%s option should follow a -e tracepoint or HW tracer option", o->name);
		diag_hint(diag, "It belongs to the event before it: -e sched:sched_switch --%s%s",
			  o->name, o->arg ? " 'prev_pid > 0'" : "");
		return -EINVAL;
	}
	return add(e, kind, text);
}

static int set_event(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	(void)o;
	(void)negated;
	(void)diag;
	return add(field, EVENT_OPT_EVENT, value);
}

static int set_pfm(void *field, const struct option *o, const char *value, bool negated,
		   struct diag *diag)
{
	(void)o;
	(void)negated;
	(void)diag;
	return add(field, EVENT_OPT_PFM, value);
}

static int set_filter(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	(void)negated;
	return add_to_event(field, o, EVENT_OPT_FILTER, value, diag);
}

static int set_cgroup(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	(void)o;
	(void)negated;
	(void)diag;
	return add(field, EVENT_OPT_CGROUP, value);
}

int event_opts_set_exclude_perf(void *field, const struct option *o, const char *value,
				bool negated, struct diag *diag)
{
	(void)value;
	(void)negated;
	return add_to_event(field, o, EVENT_OPT_EXCLUDE_PERF, NULL, diag);
}

int event_opts_set_metric(void *field, const struct option *o, const char *value, bool negated,
			  struct diag *diag)
{
	(void)o;
	(void)negated;
	(void)diag;
	return add(field, EVENT_OPT_METRIC, value);
}

/* perf's own system calls and wake-ups would otherwise be among what it records. */
static int exclude_perf(struct event_list *l, struct event_env *env, struct diag *diag)
{
	_cleanup_(freep) char *filter = xasprintf("common_pid != %d", (int)getpid());

	return event_list_filter(l, filter, env, diag);
}

bool event_opts_may_attach(const struct event_opts *e)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->items[i].kind == EVENT_OPT_EVENT && strchr(e->items[i].text, ':'))
			return true;
	return false;
}

int event_opts_attach(const struct event_opts *e, const char *buildid_dir, struct event_env *env,
		      struct attached_probes **ret, struct diag *diag)
{
	_cleanup_(freep) const char **texts = xcalloc(e->n + 1, sizeof(*texts));
	size_t n = 0;

	*ret = NULL;
	if (!event_opts_may_attach(e))
		return 0;
	for (size_t i = 0; i < e->n; i++)
		if (e->items[i].kind == EVENT_OPT_EVENT)
			texts[n++] = e->items[i].text;
	return probes_attach(texts, n, buildid_dir, env, ret, diag);
}

int event_opts_resolve(const struct event_opts *e, struct event_env *env, enum event_use use,
		       struct event_list *l, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < e->n && r >= 0; i++) {
		const struct event_opt *o = &e->items[i];

		switch (o->kind) {
		case EVENT_OPT_EVENT:
			r = event_list_parse(l, o->text, env, use, diag);
			break;
		case EVENT_OPT_PFM:
			r = pfm_events_parse(l, o->text, diag);
			break;
		case EVENT_OPT_FILTER:
			r = event_list_filter(l, o->text, env, diag);
			break;
		case EVENT_OPT_EXCLUDE_PERF:
			r = exclude_perf(l, env, diag);
			break;
		case EVENT_OPT_METRIC:
		case EVENT_OPT_CGROUP:
			break;
		}
	}
	return r;
}

/*
 * The setters get the whole list, whose first field the rows name. What was said about events
 * cannot be taken back, so there is no --no-x.
 */
#define ROW(l, n, a, h, fn)                                                                        \
	OPT_CALL(l, n, struct event_opts, items, a, h, .set = fn, .flags = OPTION_NO_NEGATION)

const struct option event_options[] = {
	OPT_HEADING("What to measure:"),
	ROW('e', "event", "event", "events of `perf list`: cycles,sched:*,'{a,b}:u'", set_event),
	ROW(0, "filter", "filter", "condition on the -e before it: 'prev_pid > 0'", set_filter),
	ROW(0, "pfm-events", "event", "events in the spelling of libpfm4", set_pfm),
	ROW('G', "cgroup", "name", "only in this cgroup; a list goes with the events before it",
	    set_cgroup),
	OPT_END
};
