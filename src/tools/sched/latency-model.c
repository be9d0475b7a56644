/* SPDX-License-Identifier: MIT */
#include "tools/sched/latency-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpu-list.h"
#include "base/memory.h"
#include "session/sched-event.h"
#include "tools/sched/latency-task-model.h"

void sched_latency_init(struct sched_latency *l, const struct sched_latency_options *o)
{
	*l = (struct sched_latency){ .options = *o };
}

void sched_latency_done(struct sched_latency *l)
{
	free(l->tasks.items);
	free(l->unused.items);
	free(l->current.items);
	u64_map_done(&l->by_tid);
	arena_done(&l->arena);
}

static struct sched_latency_task *sched_latency_task_of(struct sched_latency *l, uint32_t tid)
{
	struct sched_latency_task **recent = &l->recent[tid % SCHED_LATENCY_RECENT], *t = *recent;

	/* A number that was reused belongs to another task. */
	if (t && t->tid == tid && t->until == UINT64_MAX)
		return t;
	t = u64_map_find(&l->by_tid, tid);
	if (t) {
		*recent = t;
		return t;
	}
	t = l->unused.n ? l->unused.items[--l->unused.n] : arena_alloc(&l->arena, sizeof(*t));
	*t = (struct sched_latency_task){ .tid = tid, .until = UINT64_MAX };
	u64_map_put(&l->by_tid, tid, t);
	*ARRAY_ADD(&l->tasks) = t;
	return t;
}

void sched_latency_forget(struct sched_latency *l, uint32_t tid, uint64_t time)
{
	struct sched_latency_task *t = u64_map_remove(&l->by_tid, tid);

	if (t)
		t->until = time;
}

static void sched_latency_leaves(struct sched_latency_task *t, bool is_ready, uint64_t time)
{
	t->phase = is_ready ? PHASE_READY : PHASE_ASLEEP;
	t->out = time;
	if (is_ready)
		t->ready = time;
}

/* Marks an unknown task as ready from now on. */
static void begins_ready(struct sched_latency_task *t, uint64_t time)
{
	if (t->phase == PHASE_UNKNOWN)
		sched_latency_leaves(t, true, time);
}

static void add_wait(struct sched_latency_task *t, uint64_t ns, uint64_t time)
{
	t->sum_ns += ns;
	t->n++;
	if (ns <= t->max_ns)
		return;
	t->max_ns = ns;
	t->max_begin = t->ready;
	t->max_end = time;
}

static void sched_latency_comes(struct sched_latency_task *t, uint64_t time)
{
	begins_ready(t, time);
	if (t->phase != PHASE_READY)
		return;
	if (time < t->ready) {
		t->phase = PHASE_UNORDERED;
		return;
	}
	t->phase = PHASE_RUNNING;
	add_wait(t, time - t->ready, time);
}

/* Checks that the task that leaves a CPU is the one that came last. */
static void check_current(struct sched_latency *l, const struct sched_event *e)
{
	int64_t *current;

	if (e->cpu >= CPU_MAX)
		return;
	while (l->current.n <= e->cpu)
		*ARRAY_ADD(&l->current) = -1;
	current = &l->current.items[e->cpu];
	l->counts.switch_bugs += *current >= 0 && *current != e->tid;
	*current = e->next_tid;
}

static bool is_ready(struct sched_latency *l, const struct sched_event *e)
{
	if (l->options.all || e->prev_state == 0)
		return e->state == TASK_STATE_RUNNABLE;
	l->counts.left_out_preempted += e->state == TASK_STATE_RUNNABLE;
	return false;
}

static void sched_latency_set_name(struct sched_latency_task *t, struct sched_comm comm)
{
	uint32_t n = sched_comm_length(comm);

	if (!n)
		return;
	n = n < TASK_COMM_SIZE ? n : TASK_COMM_SIZE - 1;
	memcpy(t->comm, comm.chars, n);
	t->comm[n] = '\0';
}

/* Returns the task of @tid, with the name @comm if names are kept. */
static struct sched_latency_task *named_task(struct sched_latency *l, uint32_t tid,
					     struct sched_comm comm)
{
	struct sched_latency_task *t = sched_latency_task_of(l, tid);

	if (l->options.keeps_names)
		sched_latency_set_name(t, comm);
	return t;
}

static void sched_latency_take_switch(struct sched_latency *l, const struct sched_event *e)
{
	check_current(l, e);
	if (e->tid)
		sched_latency_leaves(named_task(l, e->tid, e->comm), is_ready(l, e), e->time);
	if (e->next_tid)
		sched_latency_comes(named_task(l, e->next_tid, e->next_comm), e->time);
}

static void sched_latency_take_wakeup(struct sched_latency *l, const struct sched_event *e)
{
	struct sched_latency_task *t = sched_latency_task_of(l, e->tid);

	if (t->phase == PHASE_UNKNOWN)
		sched_latency_leaves(t, false, e->time);
	if (!l->options.one_cpu && t->phase != PHASE_ASLEEP) {
		l->counts.needless++;
		return;
	}
	l->counts.wakeups++;
	if (t->out > e->time) {
		l->counts.early_wakeups++;
		return;
	}
	t->phase = PHASE_READY;
	t->ready = e->time;
}

static void sched_latency_take_migration(struct sched_latency *l, const struct sched_event *e)
{
	struct sched_latency_task *t;

	if (!l->options.one_cpu)
		return;
	t = sched_latency_task_of(l, e->tid);
	begins_ready(t, e->time);
	t->out = t->ready = e->time;
	l->counts.wakeups++;
}

void sched_latency_take(struct sched_latency *l, const struct sched_event *e)
{
	struct sched_latency_task *t;

	switch (e->kind) {
	case SCHED_SWITCH:
		sched_latency_take_switch(l, e);
		break;
	case SCHED_WAKING:
		if (!l->options.all) {
			l->counts.left_out_waking++;
			break;
		}
		/* fall through */
	case SCHED_WAKEUP:
	case SCHED_WAKEUP_NEW:
		sched_latency_take_wakeup(l, e);
		break;
	case SCHED_MIGRATE:
		sched_latency_take_migration(l, e);
		break;
	case SCHED_RUNTIME:
		t = sched_latency_task_of(l, e->tid);
		begins_ready(t, e->time);
		t->run_ns += e->ns;
		break;
	default:
		break;
	}
}

/*
 * True if the task must be kept. A sleeping task need not be, because a wake-up of an unknown task
 * is treated as one of a sleeping task.
 */
static bool sched_latency_is_needed(const struct sched_latency_task *t)
{
	return t->until == UINT64_MAX && (t->phase == PHASE_READY || t->phase == PHASE_RUNNING);
}

void sched_latency_renew(struct sched_latency *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->tasks.n; i++) {
		struct sched_latency_task *t = l->tasks.items[i];

		if (sched_latency_is_needed(t)) {
			t->run_ns = t->n = t->sum_ns = 0;
			t->max_ns = t->max_begin = t->max_end = 0;
			l->tasks.items[n++] = t;
			continue;
		}
		if (t->until == UINT64_MAX)
			u64_map_remove(&l->by_tid, t->tid);
		*ARRAY_ADD(&l->unused) = t;
	}
	l->tasks.n = n;
	memset(l->recent, 0, sizeof(l->recent));
	l->counts = (struct sched_latency_counts){ 0 };
}
