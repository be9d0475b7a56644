/* SPDX-License-Identifier: MIT */
#include "tools/lock/event-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/session.h"

static const struct {
	const char *tracepoint;
	enum lock_kind kind;
	const char *addr;
} shapes[] = {
	{ "lock_acquire", LOCK_ACQUIRE, "lockdep_addr" },
	{ "lock_acquired", LOCK_ACQUIRED, "lockdep_addr" },
	{ "lock_contended", LOCK_CONTENDED, "lockdep_addr" },
	{ "lock_release", LOCK_RELEASE, "lockdep_addr" },
	{ "contention_begin", LOCK_BEGIN, "lock_addr" },
	{ "contention_end", LOCK_END, "lock_addr" },
};

static void lock_event_bind_source(struct lock_events *e, const struct session_event *event,
				   bool swap)
{
	struct lock_source *s = &e->sources[event->index];

	if (!event->format || !event->system || strcmp(event->system, "lock") != 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		if (!strcmp(shapes[i].tracepoint, event->tracepoint)) {
			s->kind = shapes[i].kind;
			s->addr = tracepoint_field_bind(event->format, shapes[i].addr, swap);
			s->flags = tracepoint_field_bind(event->format, "flags", swap);
			s->name = tracepoint_field_bind(event->format, "name", swap);
			e->has[s->kind] = true;
		}
}

void lock_events_bind(struct lock_events *e, const struct session *s)
{
	*e = (struct lock_events){ .n_sources = session_event_count(s) };
	e->sources = xcalloc(e->n_sources + 1, sizeof(*e->sources));
	for (size_t i = 0; i < e->n_sources; i++)
		lock_event_bind_source(e, session_event(s, i), session_is_swapped(s));
}

void lock_events_done(struct lock_events *e)
{
	free(e->sources);
}

enum lock_kind lock_event_kind(const struct lock_events *e, const struct session_event *event)
{
	return event->index < e->n_sources ? e->sources[event->index].kind : LOCK_NONE;
}

bool lock_event_read(const struct lock_events *e, const struct session_sample *s,
		     struct lock_event *ret)
{
	const struct lock_source *source = &e->sources[s->event->index];
	const struct sample *sample = s->sample;
	uint64_t addr, flags = 0;

	if (lock_event_kind(e, s->event) == LOCK_NONE ||
	    !field_ref_number(&source->addr, sample->raw, sample->raw_size, &addr))
		return false;
	field_ref_number(&source->flags, sample->raw, sample->raw_size, &flags);
	*ret = (struct lock_event){ .kind = source->kind,
				    .time = s->time,
				    .pid = sample->pid,
				    .tid = sample->tid,
				    .addr = addr,
				    .flags = (uint32_t)flags };
	if (field_ref_is_there(&source->name))
		ret->name_length = field_ref_text(&source->name, sample->raw, sample->raw_size,
						  &ret->name);
	return true;
}
