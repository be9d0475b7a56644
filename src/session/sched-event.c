/* SPDX-License-Identifier: MIT */
#include "session/sched-event.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"

enum role {
	ROLE_TID,
	ROLE_COMM,
	ROLE_PRIO,
	ROLE_STATE,
	ROLE_NEXT_TID,
	ROLE_NEXT_COMM,
	ROLE_NEXT_PRIO,
	ROLE_FROM_CPU,
	ROLE_TARGET_CPU,
	ROLE_PARENT_TID,
	ROLE_PARENT_COMM,
	ROLE_NS,
	ROLE_CURRENT, /* every event has this and the next */
	ROLE_FLAGS,
	ROLES,
};

static const uint8_t role_members[ROLES] = {
	[ROLE_COMM] = SCHED_NAMES,        [ROLE_NEXT_COMM] = SCHED_NAMES,
	[ROLE_PARENT_COMM] = SCHED_NAMES, [ROLE_PRIO] = SCHED_PRIOS,
	[ROLE_NEXT_PRIO] = SCHED_PRIOS,   [ROLE_CURRENT] = SCHED_WAKER,
	[ROLE_FLAGS] = SCHED_WAKER,
};

/* common_flags: TRACE_FLAG_HARDIRQ and TRACE_FLAG_SOFTIRQ. */
#define FLAGS_INTERRUPT 0x18

/* The positions of an event's fields. */
struct sched_source {
	enum sched_kind kind;
	struct field_ref fields[ROLES];
};

struct sched_event_shape {
	const char *tracepoint;
	enum sched_kind kind;
	const char *fields[ROLES]; /* field names, indexed by role */
};

/* clang-format off */
#define WOKEN { [ROLE_TID] = "pid", [ROLE_COMM] = "comm", [ROLE_PRIO] = "prio", \
		[ROLE_TARGET_CPU] = "target_cpu" }
#define DELAYED { [ROLE_TID] = "pid", [ROLE_COMM] = "comm", [ROLE_NS] = "delay" }

static const struct sched_event_shape shapes[] = {
	{ "sched_switch", SCHED_SWITCH,
	  { [ROLE_TID] = "prev_pid", [ROLE_COMM] = "prev_comm", [ROLE_PRIO] = "prev_prio",
	    [ROLE_STATE] = "prev_state", [ROLE_NEXT_TID] = "next_pid",
	    [ROLE_NEXT_COMM] = "next_comm", [ROLE_NEXT_PRIO] = "next_prio" } },
	{ "sched_waking", SCHED_WAKING, WOKEN },
	{ "sched_wakeup", SCHED_WAKEUP, WOKEN },
	{ "sched_wakeup_new", SCHED_WAKEUP_NEW, WOKEN },
	{ "sched_migrate_task", SCHED_MIGRATE,
	  { [ROLE_TID] = "pid", [ROLE_COMM] = "comm", [ROLE_PRIO] = "prio",
	    [ROLE_FROM_CPU] = "orig_cpu", [ROLE_TARGET_CPU] = "dest_cpu" } },
	{ "sched_stat_runtime", SCHED_RUNTIME,
	  { [ROLE_TID] = "pid", [ROLE_COMM] = "comm", [ROLE_NS] = "runtime" } },
	{ "sched_stat_wait", SCHED_STAT_WAIT, DELAYED },
	{ "sched_stat_sleep", SCHED_STAT_SLEEP, DELAYED },
	{ "sched_stat_blocked", SCHED_STAT_BLOCKED, DELAYED },
	{ "sched_stat_iowait", SCHED_STAT_IOWAIT, DELAYED },
	{ "sched_process_fork", SCHED_FORK,
	  { [ROLE_TID] = "child_pid", [ROLE_COMM] = "child_comm",
	    [ROLE_PARENT_TID] = "parent_pid", [ROLE_PARENT_COMM] = "parent_comm" } },
	{ "sched_process_exec", SCHED_EXEC, { [ROLE_TID] = "pid" } },
	{ "sched_process_exit", SCHED_EXIT,
	  { [ROLE_TID] = "pid", [ROLE_COMM] = "comm", [ROLE_PRIO] = "prio" } },
};
/* clang-format on */

static const struct sched_event_shape *sched_event_shape_of(const struct session_event *e)
{
	if (!e->format || !e->system || strcmp(e->system, "sched") != 0)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		if (!strcmp(shapes[i].tracepoint, e->tracepoint))
			return &shapes[i];
	return NULL;
}

static const char *sched_event_field(const struct sched_event_shape *shape, enum role role)
{
	switch (role) {
	case ROLE_CURRENT:
		return "common_pid";
	case ROLE_FLAGS:
		return "common_flags";
	default:
		return shape->fields[role];
	}
}

static void sched_event_bind_source(struct sched_events *e, const struct session_event *event,
				    bool swap, unsigned unread)
{
	const struct sched_event_shape *shape = sched_event_shape_of(event);
	struct sched_source *s = &e->sources[event->index];
	const char *field;

	if (!shape)
		return;
	s->kind = shape->kind;
	e->has[shape->kind] = true;
	for (enum role i = 0; i < ROLES; i++) {
		field = role_members[i] & unread ? NULL : sched_event_field(shape, i);
		if (field)
			s->fields[i] = tracepoint_field_bind(event->format, field, swap);
	}
	if (shape->kind == SCHED_SWITCH)
		task_states_parse(event->format->print_fmt, &e->states);
}

void sched_events_bind(struct sched_events *e, const struct session *s, unsigned unread)
{
	*e = (struct sched_events){ .n_sources = session_event_count(s) };
	e->sources = xcalloc(e->n_sources + 1, sizeof(*e->sources));
	task_states_parse("", &e->states);
	for (size_t i = 0; i < e->n_sources; i++)
		sched_event_bind_source(e, session_event(s, i), session_is_swapped(s), unread);
}

void sched_events_done(struct sched_events *e)
{
	free(e->sources);
}

enum sched_kind sched_event_kind(const struct sched_events *e, const struct session_event *event)
{
	return event->index < e->n_sources ? e->sources[event->index].kind : SCHED_NONE;
}

static inline uint64_t sched_event_number(const struct sched_source *source, enum role role,
					  const struct sample *s)
{
	uint64_t value = 0;

	field_ref_number(&source->fields[role], s->raw, s->raw_size, &value);
	return value;
}

static inline struct sched_comm sched_event_comm(const struct sched_source *source, enum role role,
						 const struct sample *s)
{
	struct raw_span span = field_ref_bytes(&source->fields[role], s->raw, s->raw_size);

	return (struct sched_comm){ (const char *)span.bytes, span.size };
}

static void read_switch(const struct sched_events *e, const struct sched_source *source,
			const struct sample *s, struct sched_event *ret)
{
	ret->prev_state = sched_event_number(source, ROLE_STATE, s);
	ret->state = task_state_of(&e->states, ret->prev_state);
	ret->next_tid = (uint32_t)sched_event_number(source, ROLE_NEXT_TID, s);
	ret->next_comm = sched_event_comm(source, ROLE_NEXT_COMM, s);
	ret->next_prio = (int32_t)sched_event_number(source, ROLE_NEXT_PRIO, s);
}

static void read_rest(const struct sched_source *source, const struct sample *s,
		      struct sched_event *ret)
{
	switch (ret->kind) {
	case SCHED_MIGRATE:
		ret->from_cpu = (uint32_t)sched_event_number(source, ROLE_FROM_CPU, s);
		ret->target_cpu = (uint32_t)sched_event_number(source, ROLE_TARGET_CPU, s);
		break;
	case SCHED_WAKING:
	case SCHED_WAKEUP:
	case SCHED_WAKEUP_NEW:
		ret->target_cpu = (uint32_t)sched_event_number(source, ROLE_TARGET_CPU, s);
		break;
	case SCHED_FORK:
		ret->parent_tid = (uint32_t)sched_event_number(source, ROLE_PARENT_TID, s);
		ret->parent_comm = sched_event_comm(source, ROLE_PARENT_COMM, s);
		break;
	default:
		ret->ns = sched_event_number(source, ROLE_NS, s);
		break;
	}
}

/* Clears the members that not every kind has. Faster than clearing all, of which most are set. */
static inline void sched_event_clear_rest(struct sched_event *e)
{
	static const struct sched_comm none = { "", 0 };

	e->prev_state = 0;
	e->state = TASK_STATE_RUNNABLE;
	e->next_tid = 0;
	e->next_comm = none;
	e->next_prio = 0;
	e->from_cpu = e->target_cpu = 0;
	e->parent_tid = 0;
	e->parent_comm = none;
	e->ns = 0;
}

bool sched_event_read(const struct sched_events *e, const struct session_sample *s,
		      struct sched_event *ret)
{
	const struct sched_source *source;
	const struct sample *sample = s->sample;
	uint64_t tid;

	if (s->event->index >= e->n_sources)
		return false;
	source = &e->sources[s->event->index];
	if (!source->kind ||
	    !field_ref_number(&source->fields[ROLE_TID], sample->raw, sample->raw_size, &tid))
		return false;
	ret->kind = source->kind;
	ret->time = s->time;
	ret->cpu = sample->cpu;
	ret->current_pid = sample->pid;
	ret->current_tid = sample->tid;
	ret->machine_tid = (uint32_t)sched_event_number(source, ROLE_CURRENT, sample);
	ret->in_interrupt = sched_event_number(source, ROLE_FLAGS, sample) & FLAGS_INTERRUPT;
	ret->tid = (uint32_t)tid;
	ret->comm = sched_event_comm(source, ROLE_COMM, sample);
	ret->prio = (int32_t)sched_event_number(source, ROLE_PRIO, sample);
	ret->sample = s;
	sched_event_clear_rest(ret);
	if (source->kind == SCHED_SWITCH)
		read_switch(e, source, sample, ret);
	else
		read_rest(source, sample, ret);
	return true;
}
