/* SPDX-License-Identifier: MIT */
#include "options/events.h"

#include <errno.h>

#include "base/diag.h"

static int options_events_add(struct event_words *e, enum event_word_kind kind, const char *text)
{
	event_words_add(e, kind, text);
	return 0;
}

static int add_to_event(struct event_words *e, const struct option *o, enum event_word_kind kind,
			const char *text, struct diag *diag)
{
	if (!event_words_have(e, EVENT_WORD_EVENT) && !event_words_have(e, EVENT_WORD_PFM)) {
		diag_set(diag, -EINVAL,
			 "--%s option should follow a -e tracepoint or HW tracer option", o->name);
		diag_hint(diag, "Give it after an event: -e sched:sched_switch --%s%s", o->name,
			  o->arg ? " 'prev_pid > 0'" : "");
		return -EINVAL;
	}
	return options_events_add(e, kind, text);
}

static int set_event(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	(void)o;
	(void)negated;
	(void)diag;
	return options_events_add(field, EVENT_WORD_EVENT, value);
}

static int set_pfm(void *field, const struct option *o, const char *value, bool negated,
		   struct diag *diag)
{
	(void)o;
	(void)negated;
	(void)diag;
	return options_events_add(field, EVENT_WORD_PFM, value);
}

static int options_events_set_filter(void *field, const struct option *o, const char *value,
				     bool negated, struct diag *diag)
{
	(void)negated;
	return add_to_event(field, o, EVENT_WORD_FILTER, value, diag);
}

static int set_cgroup(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	(void)o;
	(void)negated;
	(void)diag;
	return options_events_add(field, EVENT_WORD_CGROUP, value);
}

int event_words_set_exclude_perf(void *field, const struct option *o, const char *value,
				 bool negated, struct diag *diag)
{
	(void)value;
	(void)negated;
	return add_to_event(field, o, EVENT_WORD_EXCLUDE_PERF, NULL, diag);
}

int event_words_set_metric(void *field, const struct option *o, const char *value, bool negated,
			   struct diag *diag)
{
	(void)o;
	(void)negated;
	(void)diag;
	return options_events_add(field, EVENT_WORD_METRIC, value);
}

/*
 * The setters get the whole list; the rows name its first field. Words about events cannot be taken
 * back, so there is no --no-x.
 */
#define ROW(l, n, a, h, fn)                                                                        \
	OPT_CALL(l, n, struct event_words, items, a, h, .set = fn, .flags = OPTION_NO_NEGATION)

const struct option event_options[] = {
	OPT_HEADING("What to measure:"),
	ROW('e', "event", "event", "events of `perf list`: cycles,sched:*,'{a,b}:u'", set_event),
	ROW(0, "filter", "filter", "condition on the -e before it: 'prev_pid > 0'",
	    options_events_set_filter),
	ROW(0, "pfm-events", "event", "events in the spelling of libpfm4", set_pfm),
	ROW('G', "cgroup", "name", "only in this cgroup; a list goes with the events before it",
	    set_cgroup),
	OPT_END
};
