/* SPDX-License-Identifier: MIT */
#include "tools/kwork/event-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"

/* The maximum number of softirqs. The kernel has ten. */
#define SOFTIRQS_MAX 32

struct softirq_name {
	const char *chars; /* part of the print format */
	uint32_t length;
};

/* The places of an event's fields. */
struct kwork_source {
	enum kwork_class class;
	enum kwork_role role;
	struct field_ref id, function, name;
	struct softirq_name names[SOFTIRQS_MAX];
};

struct kwork_event_shape {
	const char *tracepoint;
	enum kwork_class class;
	enum kwork_role role;
	const char *id, *function, *name; /* names of fields */
};

static const struct kwork_event_shape shapes[] = {
	{ "irq_handler_entry", KWORK_IRQ, KWORK_BEGIN, "irq", NULL, "name" },
	{ "irq_handler_exit", KWORK_IRQ, KWORK_END, "irq", NULL, NULL },
	{ "softirq_raise", KWORK_SOFTIRQ, KWORK_RAISE, "vec", NULL, NULL },
	{ "softirq_entry", KWORK_SOFTIRQ, KWORK_BEGIN, "vec", NULL, NULL },
	{ "softirq_exit", KWORK_SOFTIRQ, KWORK_END, "vec", NULL, NULL },
	{ "workqueue_activate_work", KWORK_WORKQUEUE, KWORK_RAISE, "work", "function", NULL },
	{ "workqueue_execute_start", KWORK_WORKQUEUE, KWORK_BEGIN, "work", "function", NULL },
	{ "workqueue_execute_end", KWORK_WORKQUEUE, KWORK_END, "work", "function", NULL },
};

static const char *const irq_tracepoints[] = {
	"irq:irq_handler_entry",
	"irq:irq_handler_exit",
	NULL,
};
static const char *const softirq_tracepoints[] = {
	"irq:softirq_raise",
	"irq:softirq_entry",
	"irq:softirq_exit",
	NULL,
};
static const char *const workqueue_tracepoints[] = {
	"workqueue:workqueue_activate_work",
	"workqueue:workqueue_execute_start",
	"workqueue:workqueue_execute_end",
	NULL,
};
static const char *const sched_tracepoints[] = { "sched:sched_switch", NULL };

const struct kwork_class_name kwork_class_names[KWORK_CLASSES] = {
	[KWORK_IRQ] = { "irq", "", irq_tracepoints },
	[KWORK_SOFTIRQ] = { "softirq", "(s)", softirq_tracepoints },
	[KWORK_WORKQUEUE] = { "workqueue", "(w)", workqueue_tracepoints },
	[KWORK_SCHED] = { "sched", "", sched_tracepoints },
};

bool kwork_classes_have(const struct kwork_classes *c, enum kwork_class class)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->items[i] == class)
			return true;
	return false;
}

static const struct kwork_event_shape *kwork_event_shape_of(const struct session_event *e)
{
	if (!e->format || !e->system ||
	    (strcmp(e->system, "irq") != 0 && strcmp(e->system, "workqueue") != 0))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		if (!strcmp(shapes[i].tracepoint, e->tracepoint))
			return &shapes[i];
	return NULL;
}

/* Takes the name at @at, which is the text after the brace of `{ 1, "TIMER" }`. */
static void kwork_event_add_name(struct kwork_source *s, const char *at)
{
	char *end;
	uint64_t vec = strtoull(at, &end, 0);
	size_t length;

	if (end == at || vec >= SOFTIRQS_MAX)
		return;
	end += strspn(end, " \t,");
	if (*end != '"')
		return;
	length = strcspn(end + 1, "\"");
	if (length && length <= UINT32_MAX && end[1 + length])
		s->names[vec] = (struct softirq_name){ end + 1, (uint32_t)length };
}

static void kwork_event_add_names(struct kwork_source *s, const char *print_fmt)
{
	const char *at = strstr(print_fmt, "__print_symbolic");

	for (; at && (at = strchr(at, '{')); at++)
		kwork_event_add_name(s, at + 1);
}

static void kwork_event_bind_source(struct kwork_events *e, const struct session_event *event,
				    bool swap)
{
	const struct kwork_event_shape *shape = kwork_event_shape_of(event);
	struct kwork_source *s = &e->sources[event->index];

	if (!shape)
		return;
	s->class = shape->class;
	s->role = shape->role;
	s->id = tracepoint_field_bind(event->format, shape->id, swap);
	if (shape->function)
		s->function = tracepoint_field_bind(event->format, shape->function, swap);
	if (shape->name)
		s->name = tracepoint_field_bind(event->format, shape->name, swap);
	if (shape->class == KWORK_SOFTIRQ)
		kwork_event_add_names(s, event->format->print_fmt);
}

void kwork_events_bind(struct kwork_events *e, const struct session *s)
{
	*e = (struct kwork_events){ .n_sources = session_event_count(s) };
	e->sources = xcalloc(e->n_sources + 1, sizeof(*e->sources));
	for (size_t i = 0; i < e->n_sources; i++)
		kwork_event_bind_source(e, session_event(s, i), session_is_swapped(s));
}

void kwork_events_done(struct kwork_events *e)
{
	free(e->sources);
}

enum kwork_role kwork_event_role(const struct kwork_events *e, const struct session_event *event,
				 enum kwork_class *ret_class)
{
	if (event->index >= e->n_sources || !e->sources[event->index].role)
		return KWORK_NONE;
	*ret_class = e->sources[event->index].class;
	return e->sources[event->index].role;
}

static void read_name(const struct kwork_source *source, const struct sample *s,
		      struct kwork_event *ret)
{
	if (field_ref_is_there(&source->name)) {
		ret->name_length = (uint32_t)field_ref_text(&source->name, s->raw, s->raw_size,
							    &ret->name);
	} else if (source->class == KWORK_SOFTIRQ && ret->id < SOFTIRQS_MAX) {
		ret->name = source->names[ret->id].chars;
		ret->name_length = source->names[ret->id].length;
	}
}

bool kwork_event_read(const struct kwork_events *e, const struct session_sample *s,
		      struct kwork_event *ret)
{
	const struct kwork_source *source;
	const struct sample *sample = s->sample;

	if (s->event->index >= e->n_sources)
		return false;
	source = &e->sources[s->event->index];
	*ret = (struct kwork_event){
		.class = source->class, .role = source->role, .time = s->time, .cpu = sample->cpu
	};
	if (!source->role ||
	    !field_ref_number(&source->id, sample->raw, sample->raw_size, &ret->id))
		return false;
	field_ref_number(&source->function, sample->raw, sample->raw_size, &ret->function);
	read_name(source, sample, ret);
	return true;
}
