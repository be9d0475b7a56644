/* SPDX-License-Identifier: MIT */
#include "transform/sleep-times.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cursor.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "tracepoint/format.h"
#include "transform/transform.h"

/* The last switch of a task: a copy of the sample. */
struct last_switch {
	const struct session_event *event; /* NULL: the task is gone */
	struct bytes bytes;
};

struct sleep_times {
	struct transform transform;
	bool swap;               /* what tracepoints recorded is in the other byte order */
	struct u64_map switches; /* last_switch by tid plus one */
	struct bytes made;
	uint64_t merged;
};

static struct sleep_times *sleep_times_of(struct transform *t)
{
	return (struct sleep_times *)((char *)t - offsetof(struct sleep_times, transform));
}

static struct last_switch *switch_of(struct sleep_times *st, uint32_t tid, bool make)
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
	struct last_switch *sw = switch_of(st, s->tid, true);

	sw->event = d->event;
	sw->bytes.n = 0;
	bytes_add(&sw->bytes, d->raw.bytes, d->raw.header.size);
}

static void forget_switch(struct sleep_times *st, const struct sample *s)
{
	struct last_switch *sw = switch_of(st, s->tid, false);

	if (sw)
		sw->event = NULL;
}

/* Whom a sched_stat_* is about. */
static bool read_pid(const struct sleep_times *st, const struct delivered *d,
		     const struct sample *s, uint32_t *ret)
{
	const struct tracepoint_field *f = d->event->format
						   ? tracepoint_field_find(d->event->format, "pid")
						   : NULL;
	struct cursor c = cursor_over(s->raw, s->raw_size, st->swap);

	if (!f || f->size != sizeof(*ret))
		return false;
	cursor_bytes(&c, f->offset);
	*ret = cursor_u32(&c);
	return !c.bad;
}

static int merge(struct sleep_times *st, const struct delivered *d, const struct sample *stat)
{
	struct last_switch *sw;
	struct delivered made;
	struct sample s;
	uint32_t pid;

	if (!read_pid(st, d, stat, &pid))
		return 0;
	sw = switch_of(st, pid, false);
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

static int take(struct transform *t, const struct delivered *d)
{
	static const char stat_prefix[] = "sched_stat_";
	struct sleep_times *st = sleep_times_of(t);
	const struct session_event *e = d->event;
	struct sample s;

	if (d->raw.header.type != PERF_RECORD_SAMPLE || !e || !e->system ||
	    strcmp(e->system, "sched") != 0 ||
	    sample_decode(d->raw.bytes, d->raw.header.size, false, &e->attr, &s) < 0)
		return transform_pass(t, d);
	if (!strcmp(e->tracepoint, "sched_switch"))
		keep_switch(st, d, &s);
	else if (!strcmp(e->tracepoint, "sched_process_exit"))
		forget_switch(st, &s);
	else if (!strncmp(e->tracepoint, stat_prefix, strlen(stat_prefix)))
		return merge(st, d, &s);
	else
		return transform_pass(t, d);
	return 0;
}

static const struct transform_kind kind = { .take = take };

struct sleep_times *sleep_times_new(const struct session *s)
{
	struct sleep_times *st = xcalloc(1, sizeof(*st));

	st->transform.kind = &kind;
	st->swap = datafile_swapped(session_datafile(s));
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
