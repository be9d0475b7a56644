/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What to measure, as it was typed: -e, --filter and their kin, in their order.
 *
 * The order matters: a filter belongs to the event before it, the names of cgroups to the events
 * before them. The texts are borrowed.
 */
#include <stdbool.h>
#include <stddef.h>

#include "event/env.h"
#include "event/event.h"

struct attached_probes;
struct event_env;

enum event_word_kind {
	EVENT_WORD_EVENT,        /* -e */
	EVENT_WORD_PFM,          /* --pfm-events: -e in libpfm4's spelling */
	EVENT_WORD_METRIC,       /* -M */
	EVENT_WORD_FILTER,       /* --filter */
	EVENT_WORD_EXCLUDE_PERF, /* --exclude-perf; no text */
	EVENT_WORD_CGROUP,       /* -G */
};

struct event_word {
	enum event_word_kind kind;
	const char *text;
};

struct event_words {
	struct event_word *items;
	size_t n, room;
	enum event_worlds worlds; /* of events without :G or :H */
};

void event_words_done(struct event_words *e);

void event_words_add(struct event_words *e, enum event_word_kind kind, const char *text);

/* Is there one of this kind? */
bool event_words_have(const struct event_words *e, enum event_word_kind kind);

/*
 * Whether one of them may be the name of a marker, or a BPF program, which may set probes: then
 * signals are to be held back in time.
 */
bool event_words_may_attach(const struct event_words *e);

/*
 * Sets the probes for markers and cached probes among the words (probe/attach.h): *@ret removes
 * them, NULL: there are none. Errors as probes_attach().
 */
int event_words_attach(const struct event_words *e, const char *buildid_dir, struct event_env *env,
		       struct attached_probes **ret, struct diag *diag);

/*
 * Resolves the words in order, and appends the events with their filters to @l. before[i] becomes
 * how many events were in @l when the i-th word came. Errors as event_list_parse(). Metrics and
 * cgroups are the caller's affair.
 */
int event_words_resolve(const struct event_words *e, struct event_env *env, enum event_use use,
			struct event_list *l, size_t *before, struct diag *diag);
