/* SPDX-License-Identifier: MIT */
#include "tools/sched/wakes-model.h"

#include <stdlib.h>

#include "base/memory.h"

void wakes_done(struct wakes *w)
{
	for (size_t i = 0; i < w->tasks.n; i++)
		free(w->tasks.items[i].moments.items);
	free(w->tasks.items);
	u64_map_done(&w->by_tid);
}

static uint32_t wakes_task_of(struct wakes *w, uint32_t tid)
{
	uintptr_t i = (uintptr_t)u64_map_find(&w->by_tid, tid);

	if (i)
		return (uint32_t)(i - 1);
	ARRAY_ADD(&w->tasks)->tid = tid;
	u64_map_put(&w->by_tid, tid, (void *)(uintptr_t)w->tasks.n);
	return (uint32_t)(w->tasks.n - 1);
}

/*
 * Adds a moment. Of the moments before the interval, only the last one is kept. A moment whose time
 * goes back is dropped.
 */
static void wakes_add_moment(struct wakes *w, uint32_t task, struct wake_moment m)
{
	struct wake_task *t = &w->tasks.items[task];

	if (t->moments.n && m.time_ns < t->moments.items[t->moments.n - 1].time_ns)
		return;
	if (t->moments.n == 1 && m.time_ns <= w->from_ns)
		t->moments.items[0] = m;
	else
		*ARRAY_ADD(&t->moments) = m;
}

static enum wake_kind leaves_as(enum task_state state)
{
	switch (state) {
	case TASK_STATE_RUNNABLE:
		return WAKE_PREEMPTED;
	case TASK_STATE_DEAD:
		return WAKE_ENDED;
	default:
		return WAKE_ASLEEP;
	}
}

static void wakes_take_switch(struct wakes *w, const struct sched_event *e)
{
	struct wake_moment m = { .time_ns = e->time, .cpu = (uint16_t)e->cpu };
	uint32_t task;

	if (e->tid) {
		task = wakes_task_of(w, e->tid);
		m.kind = leaves_as(e->state);
		wakes_add_moment(w, task, m);
		sched_name_set(&w->tasks.items[task].name, e->comm);
	}
	if (e->next_tid) {
		task = wakes_task_of(w, e->next_tid);
		m.kind = WAKE_ON;
		wakes_add_moment(w, task, m);
		sched_name_set(&w->tasks.items[task].name, e->next_comm);
	}
}

/*
 * Returns the waker. An interrupt is no task's work, and idle CPUs wake tasks only by interrupts.
 */
static uint32_t waker_of(struct wakes *w, const struct sched_event *e)
{
	if (e->in_interrupt || !e->current_tid)
		return WAKER_INTERRUPT;
	return e->current_tid == UINT32_MAX ? WAKER_UNKNOWN : wakes_task_of(w, e->current_tid);
}

/* True if the task is not on a CPU, or was never seen. */
static bool is_away(const struct wake_task *t)
{
	enum wake_kind last = t->moments.n ? t->moments.items[t->moments.n - 1].kind : WAKE_ASLEEP;

	return last == WAKE_ASLEEP || last == WAKE_ENDED;
}

static void wakes_take_wakeup(struct wakes *w, const struct sched_event *e)
{
	uint32_t waker = waker_of(w, e), task = wakes_task_of(w, e->tid);

	sched_name_set(&w->tasks.items[task].name, e->comm);
	if (is_away(&w->tasks.items[task]))
		wakes_add_moment(w, task,
				 (struct wake_moment){ .time_ns = e->time,
						       .waker = waker,
						       .cpu = (uint16_t)e->cpu,
						       .kind = WAKE_WOKEN });
}

void wakes_take(struct wakes *w, const struct sched_event *e)
{
	if (w->to_ns && e->time > w->to_ns)
		return;
	if (e->time >= w->from_ns) {
		if (!w->first_ns)
			w->first_ns = e->time;
		w->last_ns = e->time > w->last_ns ? e->time : w->last_ns;
	}
	if (e->kind == SCHED_SWITCH)
		wakes_take_switch(w, e);
	else if (e->kind == SCHED_WAKING || e->kind == SCHED_WAKEUP || e->kind == SCHED_WAKEUP_NEW)
		wakes_take_wakeup(w, e);
}

void wakes_forget(struct wakes *w, uint32_t tid)
{
	u64_map_remove(&w->by_tid, tid);
}

struct edges {
	struct u64_map index; /* by waker and woken: index + 1 */
	struct wake_edge *items;
	size_t n, room;
};

static void add_edge(struct edges *all, uint32_t waker, uint32_t woken, uint64_t waited_ns)
{
	uint64_t key = (uint64_t)waker << 32 | woken;
	uintptr_t i = (uintptr_t)u64_map_find(&all->index, key);

	if (!i) {
		*ARRAY_ADD(all) = (struct wake_edge){ .waker = waker, .woken = woken };
		i = all->n;
		u64_map_put(&all->index, key, (void *)i);
	}
	all->items[i - 1].count++;
	all->items[i - 1].waited_ns += waited_ns;
}

static void add_edges_of(struct edges *all, const struct wakes *w, uint32_t task)
{
	const struct wake_task *t = &w->tasks.items[task];

	for (size_t i = 0; i < t->moments.n; i++) {
		const struct wake_moment *m = &t->moments.items[i];
		uint64_t since = i ? t->moments.items[i - 1].time_ns : m->time_ns;

		if (m->kind != WAKE_WOKEN || m->time_ns < w->from_ns)
			continue;
		since = since < w->from_ns ? w->from_ns : since;
		add_edge(all, m->waker, task, m->time_ns - since);
	}
}

static int wakes_by_time(const void *a, const void *b)
{
	const struct wake_edge *x = a, *y = b;

	if (x->waited_ns != y->waited_ns)
		return x->waited_ns > y->waited_ns ? -1 : 1;
	if (x->woken != y->woken)
		return x->woken < y->woken ? -1 : 1;
	return x->waker < y->waker ? -1 : x->waker > y->waker;
}

struct wake_edge *wakes_edges(const struct wakes *w, size_t *ret_n)
{
	struct edges all = { 0 };

	for (size_t i = 0; i < w->tasks.n; i++)
		add_edges_of(&all, w, (uint32_t)i);
	if (all.n)
		qsort(all.items, all.n, sizeof(*all.items), wakes_by_time);
	u64_map_done(&all.index);
	*ret_n = all.n;
	return all.items;
}
