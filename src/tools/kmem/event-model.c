/* SPDX-License-Identifier: MIT */
#include "tools/kmem/event-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"

/* The places of an event's fields. */
struct kmem_source {
	enum kmem_kind kind;
	bool by_number;             /* pages are identified by number */
	struct field_ref subject;   /* the object or page */
	struct field_ref call_site; /* for objects */
	struct field_ref requested, allocated, node;
	struct field_ref order, gfp_flags, migratetype; /* for pages */
};

static const struct {
	const char *tracepoint;
	enum kmem_kind kind;
} kinds[] = {
	{ "kmalloc", KMEM_ALLOC },
	{ "kmalloc_node", KMEM_ALLOC },
	{ "kmem_cache_alloc", KMEM_ALLOC },
	{ "kmem_cache_alloc_node", KMEM_ALLOC },
	{ "kfree", KMEM_FREE },
	{ "kmem_cache_free", KMEM_FREE },
	{ "mm_page_alloc", KMEM_PAGE_ALLOC },
	{ "mm_page_free", KMEM_PAGE_FREE },
};

static enum kmem_kind kmem_event_kind_of(const struct session_event *e)
{
	if (!e->format || !e->system || strcmp(e->system, "kmem") != 0)
		return KMEM_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].tracepoint, e->tracepoint))
			return kinds[i].kind;
	return KMEM_NONE;
}

static void bind_object(struct kmem_source *s, const struct tracepoint_format *f, bool swap)
{
	s->subject = tracepoint_field_bind(f, "ptr", swap);
	s->call_site = tracepoint_field_bind(f, "call_site", swap);
	s->requested = tracepoint_field_bind(f, "bytes_req", swap);
	s->allocated = tracepoint_field_bind(f, "bytes_alloc", swap);
	s->node = tracepoint_field_bind(f, "node", swap);
}

static void bind_page(struct kmem_source *s, const struct tracepoint_format *f, bool swap)
{
	s->subject = tracepoint_field_bind(f, "pfn", swap);
	s->by_number = field_ref_is_there(&s->subject);
	if (!s->by_number)
		s->subject = tracepoint_field_bind(f, "page", swap);
	s->order = tracepoint_field_bind(f, "order", swap);
	s->gfp_flags = tracepoint_field_bind(f, "gfp_flags", swap);
	s->migratetype = tracepoint_field_bind(f, "migratetype", swap);
}

static void kmem_event_bind_source(struct kmem_events *e, const struct session_event *event,
				   bool swap)
{
	struct kmem_source *s = &e->sources[event->index];

	s->kind = kmem_event_kind_of(event);
	if (!s->kind)
		return;
	e->has[s->kind] = true;
	if (s->kind == KMEM_ALLOC || s->kind == KMEM_FREE)
		bind_object(s, event->format, swap);
	else
		bind_page(s, event->format, swap);
	if (s->kind == KMEM_PAGE_ALLOC && !e->page_alloc) {
		e->page_alloc = event;
		e->pages_by_number = s->by_number;
	}
}

void kmem_events_bind(struct kmem_events *e, const struct session *s)
{
	*e = (struct kmem_events){ .n_sources = session_event_count(s) };
	e->sources = xcalloc(e->n_sources + 1, sizeof(*e->sources));
	for (size_t i = 0; i < e->n_sources; i++)
		kmem_event_bind_source(e, session_event(s, i), session_is_swapped(s));
}

void kmem_events_done(struct kmem_events *e)
{
	free(e->sources);
}

enum kmem_kind kmem_event_kind(const struct kmem_events *e, const struct session_event *event)
{
	return event->index < e->n_sources ? e->sources[event->index].kind : KMEM_NONE;
}

static uint64_t kmem_event_number(const struct field_ref *f, const struct sample *s,
				  uint64_t otherwise)
{
	uint64_t value = otherwise;

	field_ref_number(f, s->raw, s->raw_size, &value);
	return value;
}

static void kmem_event_read_object(const struct kmem_source *source, const struct sample *s,
				   struct kmem_event *ret)
{
	ret->call_site = kmem_event_number(&source->call_site, s, 0);
	if (source->kind == KMEM_FREE)
		return;
	ret->bytes_requested = kmem_event_number(&source->requested, s, 0);
	ret->bytes_allocated = kmem_event_number(&source->allocated, s, 0);
	ret->node = (int64_t)kmem_event_number(&source->node, s, (uint64_t)KMEM_NO_NODE);
}

static void kmem_event_read_page(const struct kmem_source *source, const struct sample *s,
				 uint64_t page, struct kmem_event *ret)
{
	ret->page = page;
	ret->failed = page == (source->by_number ? UINT64_MAX : 0);
	ret->order = (uint32_t)kmem_event_number(&source->order, s, 0);
	ret->gfp_flags = kmem_event_number(&source->gfp_flags, s, 0);
	ret->migratetype = (int32_t)kmem_event_number(&source->migratetype, s, 0);
}

/* Clears the members that not every kind has. Faster than clearing all, of which most are set. */
static inline void kmem_event_clear_rest(struct kmem_event *e)
{
	e->call_site = e->bytes_requested = e->bytes_allocated = 0;
	e->node = KMEM_NO_NODE;
	e->page = 0;
	e->failed = false;
	e->order = 0;
	e->gfp_flags = 0;
	e->migratetype = 0;
}

bool kmem_event_read(const struct kmem_events *e, const struct session_sample *s,
		     struct kmem_event *ret)
{
	const struct kmem_source *source;
	uint64_t subject;

	if (s->event->index >= e->n_sources)
		return false;
	source = &e->sources[s->event->index];
	if (!source->kind ||
	    !field_ref_number(&source->subject, s->sample->raw, s->sample->raw_size, &subject))
		return false;
	ret->kind = source->kind;
	ret->time = s->time;
	ret->cpu = s->sample->cpu;
	ret->ptr = subject;
	kmem_event_clear_rest(ret);
	if (source->kind == KMEM_ALLOC || source->kind == KMEM_FREE)
		kmem_event_read_object(source, s->sample, ret);
	else
		kmem_event_read_page(source, s->sample, subject, ret);
	return true;
}
