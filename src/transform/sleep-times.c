/* SPDX-License-Identifier: MIT */
#include "transform/sleep-times.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "tracepoint/field.h"
#include "transform/transform.h"

/* The role of an event. */
enum role {
	ROLE_UNKNOWN, /* not determined yet */
	ROLE_OTHER,
	ROLE_SWITCH, /* sched_switch */
	ROLE_EXIT,   /* sched_process_exit */
	ROLE_STAT,   /* sched_stat_* */
};

struct event_role {
	enum role role;
	struct field_ref pid; /* the task that a ROLE_STAT is about */
};

/* The last switch of a task: a copy of the sample. */
struct last_switch {
	const struct session_event *event; /* NULL: the task has ended */
	struct bytes bytes;
};

struct sleep_times {
	struct transform transform;
	bool swap; /* data of tracepoints is in the other byte order */
	struct event_roles {
		struct event_role *items; /* indexed by the event's index */
		size_t n, room;
	} roles;
	struct u64_map switches; /* last_switch by tid plus one */
	struct bytes made;
	uint64_t merged;
};

static struct sleep_times *sleep_times_of(struct transform *t)
{
	return (struct sleep_times *)((char *)t - offsetof(struct sleep_times, transform));
}

static struct last_switch *sleep_times_switch_of(struct sleep_times *st, uint32_t tid, bool make)
{
	struct last_switch *sw = u64_map_find(&st->switches, (uint64_t)tid + 1);

	if (!sw && make) {
		sw = xcalloc(1, sizeof(*sw));
		u64_map_put(&st->switches, (uint64_t)tid + 1, sw);
	}
	return sw;
}

static void keep_switch(struct sleep_times *st, const struct delivered *d, const struct sample *s)
{
	struct last_switch *sw = sleep_times_switch_of(st, s->tid, true);

	sw->event = d->event;
	sw->bytes.n = 0;
	bytes_add(&sw->bytes, d->raw.bytes, d->raw.header.size);
}

static void forget_switch(struct sleep_times *st, const struct sample *s)
{
	struct last_switch *sw = sleep_times_switch_of(st, s->tid, false);

	if (sw)
		sw->event = NULL;
}

static enum role role_by_name(const struct session_event *e)
{
	static const char stat_prefix[] = "sched_stat_";

	if (strcmp(e->system, "sched") != 0)
		return ROLE_OTHER;
	if (!strcmp(e->tracepoint, "sched_switch"))
		return ROLE_SWITCH;
	if (!strcmp(e->tracepoint, "sched_process_exit"))
		return ROLE_EXIT;
	return strncmp(e->tracepoint, stat_prefix, strlen(stat_prefix)) ? ROLE_OTHER : ROLE_STAT;
}

/* Returns the role of an event. An event without a format may still get one, as in a stream. */
static struct event_role role_of(struct sleep_times *st, const struct session_event *e)
{
	if (!e || !e->system)
		return (struct event_role){ .role = ROLE_OTHER };
	while (st->roles.n <= e->index)
		ARRAY_ADD(&st->roles);

	struct event_role *r = &st->roles.items[e->index];

	if (r->role == ROLE_UNKNOWN)
		*r = (struct event_role){ role_by_name(e),
					  tracepoint_field_bind(e->format, "pid", st->swap) };
	return *r;
}

static int sleep_times_merge(struct sleep_times *st, const struct delivered *d,
			     const struct sample *stat, const struct field_ref *stat_pid)
{
	struct last_switch *sw;
	struct delivered made;
	struct sample s;
	uint64_t pid;

	if (!field_ref_number(stat_pid, stat->raw, stat->raw_size, &pid))
		return 0;
	sw = sleep_times_switch_of(st, (uint32_t)pid, false);
	if (!sw || !sw->event ||
	    sample_decode(sw->bytes.data, sw->bytes.n, false, &sw->event->attr, &s) < 0)
		return 0;
	s.time = stat->time;
	s.period = stat->period;
	st->made.n = 0;
	if (sample_encode(&s, &sw->event->attr, &st->made) < 0)
		return 0;
	made = (struct delivered){
		.raw = { .bytes = st->made.data, .header = record_header_at(st->made.data, false) },
		.time = d->time,
		.event = sw->event,
	};
	st->merged++;
	return transform_pass(&st->transform, &made);
}

static int sleep_times_take(struct transform *t, const struct delivered *d)
{
	struct sleep_times *st = sleep_times_of(t);
	struct event_role r = role_of(st, d->event);
	struct sample s;

	if (r.role == ROLE_OTHER || !transform_sample(d, &s))
		return transform_pass(t, d);
	if (r.role == ROLE_STAT)
		return sleep_times_merge(st, d, &s, &r.pid);
	if (r.role == ROLE_SWITCH)
		keep_switch(st, d, &s);
	else
		forget_switch(st, &s);
	return 0;
}

static const struct transform_kind kind = { .take = sleep_times_take };

struct sleep_times *sleep_times_new(const struct session *s)
{
	struct sleep_times *st = xcalloc(1, sizeof(*st));

	st->transform.kind = &kind;
	st->swap = session_is_swapped(s);
	return st;
}

static void free_switch(void *arg, uint64_t tid, void *value)
{
	struct last_switch *sw = value;

	(void)arg, (void)tid;
	bytes_done(&sw->bytes);
	free(sw);
}

void sleep_times_free(struct sleep_times *st)
{
	if (!st)
		return;
	u64_map_for_each(&st->switches, free_switch, NULL);
	u64_map_done(&st->switches);
	bytes_done(&st->made);
	free(st->roles.items);
	free(st);
}

struct transform *sleep_times_transform(struct sleep_times *st)
{
	return &st->transform;
}

uint64_t sleep_times_merged(const struct sleep_times *st)
{
	return st->merged;
}
