/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What to measure, as typed: -e, --filter and their kin, in the order of the command line.
 *
 * The order matters: a filter belongs to the -e before it, the names of -G to the events before it.
 * Only that order is checked here; the texts are for event/. They are borrowed from argv.
 */
#include <stddef.h>

#include "cli/option.h"
#include "event/event.h"

struct attached_probes;
struct event_env;
struct invocation;

enum event_opt_kind {
	EVENT_OPT_EVENT,        /* -e */
	EVENT_OPT_PFM,          /* --pfm-events: -e in libpfm4's spelling */
	EVENT_OPT_METRIC,       /* -M */
	EVENT_OPT_FILTER,       /* --filter */
	EVENT_OPT_EXCLUDE_PERF, /* --exclude-perf; no text */
	EVENT_OPT_CGROUP,       /* -G */
};

struct event_opt {
	enum event_opt_kind kind;
	const char *text;
};

struct event_opts {
	struct event_opt *items;
	size_t n, room;
};

/* Rows over a struct event_opts, with a heading: -e, --filter, --pfm-events and -G. */
extern const struct option event_options[];

void event_opts_done(struct event_opts *e);

/* Was an option of this kind given? */
bool event_opts_have(const struct event_opts *e, enum event_opt_kind kind);

/* Whether one of them may be the name of a marker: then signals are to be held back in time. */
bool event_opts_may_attach(const struct event_opts *e);

/*
 * Sets the probes for markers and cached probes among what was typed (probe/attach.h): *@ret
 * removes them, NULL: there are none. Errors as probes_attach().
 */
int event_opts_attach(const struct event_opts *e, const char *buildid_dir, struct event_env *env,
		      struct attached_probes **ret, struct diag *diag);

/*
 * Resolves what was typed, in order, and appends the events with their filters to @l. Errors as
 * event_list_parse(). -M and -G are the command's own affair.
 */
int event_opts_resolve(const struct event_opts *e, struct event_env *env, enum event_use use,
		       struct event_list *l, struct diag *diag);

/* Setters over a `struct event_opts` for the rows that not all commands have. */
option_set_fn event_opts_set_exclude_perf, event_opts_set_metric;
