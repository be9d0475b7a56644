/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The words that select events, as they were typed: -e, --filter and similar options, in their
 * order.
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
	EVENT_WORD_PFM,          /* --pfm-events: like -e, with libpfm4's names */
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
	enum event_worlds worlds; /* for events without :G or :H */
};

void event_words_done(struct event_words *e);

void event_words_add(struct event_words *e, enum event_word_kind kind, const char *text);

/* True if there is a word of this kind. */
bool event_words_have(const struct event_words *e, enum event_word_kind kind);

/*
 * True if one of them may be the name of a marker, or a BPF program, which may set probes: then
 * signals have to be blocked in time.
 */
bool event_words_may_attach(const struct event_words *e);

/*
 * Sets the probes for markers and cached probes among the words (probe/attach.h): *@ret removes
 * them, NULL: there are none. Errors as for probes_attach().
 */
int event_words_attach(const struct event_words *e, const char *buildid_dir, struct event_env *env,
		       struct attached_probes **ret, struct diag *diag);

/*
 * Resolves the words in order, and appends the events with their filters to @l. before[i] becomes
 * the number of events in @l before the i-th word. Errors as for event_list_parse(). The caller
 * handles metrics and cgroups.
 */
int event_words_resolve(const struct event_words *e, struct event_env *env, enum event_use use,
			struct event_list *l, size_t *before, struct diag *diag);
