/* SPDX-License-Identifier: MIT */
#include "tools/sched/queue-model.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/cpu-list.h"
#include "base/memory.h"
#include "session/sched-event.h"

/* The initial length of intervals if none was requested: a millisecond. */
#define FIRST_INTERVAL_NS 1000000

/* The approximate maximum number of intervals of all CPUs together. */
#define CELLS_MAX (1024 * 1024)

struct queue_task {
	uint32_t cpu; /* the CPU in whose queue it is, if it counts */
	bool counts;
};

void sched_queue_init(struct sched_queue *q, const struct queue_options *o)
{
	*q = (struct sched_queue){ .interval_ns = o->interval_ns ? o->interval_ns
								 : FIRST_INTERVAL_NS,
				   .max_intervals = o->max_intervals };
}

static void sched_queue_line_done(struct queue_line *l)
{
	free(l->intervals.items);
}

void sched_queue_done(struct sched_queue *q)
{
	for (size_t i = 0; i < q->cpus.n; i++)
		sched_queue_line_done(&q->cpus.items[i]);
	sched_queue_line_done(&q->all);
	for (size_t i = 0; i < q->tasks.n; i++)
		free(q->tasks.items[i]);
	free(q->cpus.items);
	free(q->tasks.items);
	u64_map_done(&q->by_tid);
}

/* Merges pairs of intervals. */
static void sched_queue_halve(struct queue_line *l)
{
	size_t n = (l->intervals.n + 1) / 2;

	for (size_t i = 0; i < n; i++) {
		l->intervals.items[i] = l->intervals.items[2 * i];
		if (2 * i + 1 < l->intervals.n)
			l->intervals.items[i] += l->intervals.items[2 * i + 1];
	}
	l->intervals.n = l->intervals.room = n;
	if (n)
		l->intervals.items = xrealloc(l->intervals.items, n * sizeof(double));
}

static void sched_queue_widen(struct sched_queue *q)
{
	q->interval_ns *= 2;
	sched_queue_halve(&q->all);
	for (size_t i = 0; i < q->cpus.n; i++)
		sched_queue_halve(&q->cpus.items[i]);
}

/* Returns the interval of @time. A time after the last possible interval makes intervals wider. */
static size_t interval_of(struct sched_queue *q, uint64_t time)
{
	size_t most = CELLS_MAX / (q->n_known + 1);

	if (most > q->max_intervals)
		most = q->max_intervals;
	while ((time - q->begin_ns) / q->interval_ns >= most)
		sched_queue_widen(q);
	return (size_t)((time - q->begin_ns) / q->interval_ns);
}

/* Adds the time from @from to @to to the intervals of @l, with its current length. */
static void add_intervals(struct sched_queue *q, struct queue_line *l, uint64_t from, uint64_t to)
{
	size_t last = interval_of(q, to);

	while (l->intervals.n <= last)
		ARRAY_ADD(&l->intervals);
	for (size_t i = interval_of(q, from); i <= last && l->length; i++) {
		uint64_t end = q->begin_ns + (i + 1) * q->interval_ns;
		uint64_t until = to < end ? to : end;

		l->intervals.items[i] += (double)(until - from) * l->length;
		from = until;
	}
}

/* Accounts for the length of @l until @now. */
static void sched_queue_advance(struct sched_queue *q, struct queue_line *l, uint64_t now)
{
	uint64_t ns;

	if (!l->first_ns) {
		l->first_ns = l->last_ns = now;
		q->n_known++;
		return;
	}
	if (now <= l->last_ns)
		return;
	ns = now - l->last_ns;
	l->sum += ns * l->length;
	l->at_ns[l->length < QUEUE_LENGTHS ? l->length : QUEUE_LENGTHS - 1] += ns;
	add_intervals(q, l, l->last_ns, now);
	l->last_ns = now;
}

static void sched_queue_change(struct sched_queue *q, struct queue_line *l, uint64_t now, int by)
{
	sched_queue_advance(q, l, now);
	if (by < 0 && !l->length)
		return;
	l->length = by < 0 ? l->length - 1 : l->length + 1;
	if (l->length > l->max)
		l->max = l->length;
}

static struct queue_line *sched_queue_line_of(struct sched_queue *q, uint32_t cpu)
{
	while (q->cpus.n <= cpu)
		ARRAY_ADD(&q->cpus);
	return &q->cpus.items[cpu];
}

static struct queue_task *sched_queue_task_of(struct sched_queue *q, uint32_t tid)
{
	struct queue_task *t = u64_map_find(&q->by_tid, tid);

	if (t)
		return t;
	t = xcalloc(1, sizeof(*t));
	u64_map_put(&q->by_tid, tid, t);
	*ARRAY_ADD(&q->tasks) = t;
	return t;
}

static void sched_queue_enter(struct sched_queue *q, struct queue_task *t, uint32_t cpu,
			      uint64_t now)
{
	t->counts = true;
	t->cpu = cpu;
	sched_queue_change(q, sched_queue_line_of(q, cpu), now, 1);
	sched_queue_change(q, &q->all, now, 1);
}

static void sched_queue_leave(struct sched_queue *q, struct queue_task *t, uint64_t now)
{
	t->counts = false;
	sched_queue_change(q, sched_queue_line_of(q, t->cpu), now, -1);
	sched_queue_change(q, &q->all, now, -1);
}

static void sched_queue_move(struct sched_queue *q, struct queue_task *t, uint32_t cpu,
			     uint64_t now)
{
	if (t->cpu == cpu)
		return;
	sched_queue_change(q, sched_queue_line_of(q, t->cpu), now, -1);
	t->cpu = cpu;
	sched_queue_change(q, sched_queue_line_of(q, cpu), now, 1);
}

/*
 * Handles a task @tid whose leaving was not seen: another task now leaves the CPU to which it came.
 */
static void take_vanished(struct sched_queue *q, uint32_t tid, const struct sched_event *e)
{
	struct queue_task *t = u64_map_find(&q->by_tid, tid);

	if (!t || !t->counts || t->cpu != e->cpu)
		return;
	q->vanished++;
	sched_queue_leave(q, t, e->time);
}

static void sched_queue_take_switch(struct sched_queue *q, const struct sched_event *e)
{
	uint32_t running = sched_queue_line_of(q, e->cpu)->running;
	struct queue_task *prev = e->tid ? sched_queue_task_of(q, e->tid) : NULL;
	struct queue_task *next = e->next_tid ? sched_queue_task_of(q, e->next_tid) : NULL;

	if (running && running != e->tid)
		take_vanished(q, running, e);
	sched_queue_line_of(q, e->cpu)->running = e->next_tid;
	/* At the first switch of a CPU, any task may be the one that leaves. */
	if (prev && !prev->counts)
		sched_queue_enter(q, prev, e->cpu, e->time);
	if (prev && e->state != TASK_STATE_RUNNABLE)
		sched_queue_leave(q, prev, e->time);
	if (next && next->counts) {
		sched_queue_move(q, next, e->cpu, e->time);
	} else if (next) {
		q->late++;
		q->last_late_ns = e->time;
		sched_queue_enter(q, next, e->cpu, e->time);
	}
	sched_queue_advance(q, sched_queue_line_of(q, e->cpu), e->time);
	sched_queue_advance(q, &q->all, e->time);
}

static void sched_queue_take_wakeup(struct sched_queue *q, const struct sched_event *e)
{
	struct queue_task *t = sched_queue_task_of(q, e->tid);

	if (!t->counts && e->target_cpu < CPU_MAX)
		sched_queue_enter(q, t, e->target_cpu, e->time);
}

static void sched_queue_take_migration(struct sched_queue *q, const struct sched_event *e)
{
	struct queue_task *t = sched_queue_task_of(q, e->tid);

	if (t->counts && e->target_cpu < CPU_MAX)
		sched_queue_move(q, t, e->target_cpu, e->time);
}

void sched_queue_take(struct sched_queue *q, const struct sched_event *e)
{
	if (e->cpu >= CPU_MAX || e->time < q->end_ns)
		return;
	if (!q->begin_ns)
		q->begin_ns = e->time;
	q->end_ns = e->time;
	switch (e->kind) {
	case SCHED_SWITCH:
		sched_queue_take_switch(q, e);
		break;
	case SCHED_WAKING:
	case SCHED_WAKEUP:
	case SCHED_WAKEUP_NEW:
		sched_queue_take_wakeup(q, e);
		break;
	case SCHED_MIGRATE:
		sched_queue_take_migration(q, e);
		break;
	default:
		break;
	}
}

void sched_queue_end(struct sched_queue *q)
{
	for (size_t i = 0; i < q->cpus.n; i++)
		if (q->cpus.items[i].first_ns)
			sched_queue_advance(q, &q->cpus.items[i], q->end_ns);
	if (q->all.first_ns)
		sched_queue_advance(q, &q->all, q->end_ns);
}

double queue_line_mean(const struct queue_line *l)
{
	uint64_t ns = l->last_ns - l->first_ns;

	return ns ? (double)l->sum / (double)ns : 0;
}

size_t sched_queue_intervals(const struct sched_queue *q)
{
	return q->all.intervals.n;
}

double queue_line_interval(const struct sched_queue *q, const struct queue_line *l, size_t i)
{
	uint64_t from = q->begin_ns + i * q->interval_ns, to = from + q->interval_ns;

	if (to > q->end_ns)
		to = q->end_ns;
	return i < l->intervals.n && to > from ? l->intervals.items[i] / (double)(to - from) : 0;
}
