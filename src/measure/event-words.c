/* SPDX-License-Identifier: MIT */
#include "measure/event-words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "event/pfm.h"
#include "probe/attach.h"

void event_words_done(struct event_words *e)
{
	free(e->items);
	*e = (struct event_words){ 0 };
}

bool event_words_have(const struct event_words *e, enum event_word_kind kind)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->items[i].kind == kind)
			return true;
	return false;
}

void event_words_add(struct event_words *e, enum event_word_kind kind, const char *text)
{
	*ARRAY_ADD(e) = (struct event_word){ kind, text };
}

/* Excludes perf's own system calls and wake-ups, which would otherwise be in its own recording. */
static int exclude_perf(struct event_list *l, struct event_env *env, struct diag *diag)
{
	_cleanup_(freep) char *filter = xasprintf("common_pid != %d", (int)getpid());

	/* Not a filter on the data of samples: tracepoints only. */
	return event_list_filter(l, filter, env, EVENT_USE_COUNTING, diag);
}

bool event_words_may_attach(const struct event_words *e)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->items[i].kind == EVENT_WORD_EVENT &&
		    (strchr(e->items[i].text, ':') || strstr(e->items[i].text, ".c") ||
		     strstr(e->items[i].text, ".o")))
			return true;
	return false;
}

int event_words_attach(const struct event_words *e, const char *buildid_dir, struct event_env *env,
		       struct attached_probes **ret, struct diag *diag)
{
	_cleanup_(freep) const char **texts = xcalloc(e->n + 1, sizeof(*texts));
	size_t n = 0;

	*ret = NULL;
	if (!event_words_may_attach(e))
		return 0;
	for (size_t i = 0; i < e->n; i++)
		if (e->items[i].kind == EVENT_WORD_EVENT)
			texts[n++] = e->items[i].text;
	return probes_attach(texts, n, buildid_dir, env, ret, diag);
}

static int measure_event_words_resolve(const struct event_word *w, struct event_env *env,
				       enum event_use use, struct event_list *l, struct diag *diag)
{
	switch (w->kind) {
	case EVENT_WORD_EVENT:
		return event_list_parse(l, w->text, env, use, diag);
	case EVENT_WORD_PFM:
		return pfm_events_parse(l, w->text, diag);
	case EVENT_WORD_FILTER:
		return event_list_filter(l, w->text, env, use, diag);
	case EVENT_WORD_EXCLUDE_PERF:
		return exclude_perf(l, env, diag);
	default:
		return 0;
	}
}

int event_words_resolve(const struct event_words *e, struct event_env *env, enum event_use use,
			struct event_list *l, size_t *before, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < e->n && r >= 0; i++) {
		before[i] = l->n;
		r = measure_event_words_resolve(&e->items[i], env, use, l, diag);
	}
	return r;
}
