/* SPDX-License-Identifier: MIT */
#include "tools/sched/replay-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpu-list.h"
#include "base/memory.h"
#include "session/sched-event.h"

#define NOBODY UINT32_MAX

void sched_replay_done(struct sched_replay *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->items[i].items);
	free(r->items);
	free(r->switched.items);
	u64_map_done(&r->by_tid);
}

static struct sched_step *sched_replay_add_step(struct sched_replay *r, uint32_t task,
						enum sched_step_kind kind)
{
	struct sched_step *s = ARRAY_ADD(&r->items[task]);

	s->kind = kind;
	return s;
}

/*
 * Returns the number of the task @tid, which sleeps when it is first seen. NOBODY: there are too
 * many tasks.
 */
static uint32_t sched_replay_task_of(struct sched_replay *r, uint32_t tid, struct sched_comm comm)
{
	uintptr_t number = (uintptr_t)u64_map_find(&r->by_tid, tid);
	struct sched_replay_task *t;
	size_t length;

	if (number)
		return (uint32_t)(number - 1);
	if (r->n == SCHED_REPLAY_TASKS_MAX)
		return NOBODY;
	t = ARRAY_ADD(r);
	t->tid = (int32_t)tid;
	length = sched_comm_length(comm);
	memcpy(t->comm, comm.chars, length < sizeof(t->comm) - 1 ? length : sizeof(t->comm) - 1);
	u64_map_put(&r->by_tid, tid, (void *)(uintptr_t)r->n);
	sched_replay_add_step(r, (uint32_t)r->n - 1, SCHED_STEP_SLEEP);
	r->sleeps++;
	return (uint32_t)r->n - 1;
}

/*
 * Returns the time for which the task that leaves @cpu at @time was there; 0: this is the CPU's
 * first switch.
 */
static uint64_t time_on(struct sched_replay *r, uint32_t cpu, uint64_t time)
{
	uint64_t before;

	while (r->switched.n <= cpu)
		ARRAY_ADD(&r->switched);
	before = r->switched.items[cpu];
	r->switched.items[cpu] = time;
	return before && time > before ? time - before : 0;
}

static void sched_replay_take_switch(struct sched_replay *r, const struct sched_event *e)
{
	uint32_t prev = sched_replay_task_of(r, e->tid, e->comm),
		 next = sched_replay_task_of(r, e->next_tid, e->next_comm);
	uint64_t ns;

	if (e->cpu >= CPU_MAX || prev == NOBODY || next == NOBODY) {
		r->left_out++;
		return;
	}
	ns = time_on(r, e->cpu, e->time);
	if (!e->tid)
		ns = e->time > r->begin ? e->time - r->begin : 0;
	sched_replay_add_step(r, prev, SCHED_STEP_RUN)->ns = ns;
	sched_replay_add_step(r, prev, SCHED_STEP_SLEEP);
	r->runs++;
	r->sleeps++;
}

/* Takes a wake-up. The waker is the task that runs where the event occurs. */
static void sched_replay_take_wakeup(struct sched_replay *r, const struct sched_event *e)
{
	static const struct sched_comm unknown = { "<unknown>", 9 };
	uint32_t waker = sched_replay_task_of(r, e->current_tid, unknown),
		 task = sched_replay_task_of(r, e->tid, e->comm);
	struct sched_step *last, *wake;

	if (waker == NOBODY || task == NOBODY) {
		r->left_out++;
		return;
	}
	wake = sched_replay_add_step(r, waker, SCHED_STEP_WAKE);
	wake->target = task & (SCHED_REPLAY_TASKS_MAX - 1);
	last = &r->items[task].items[r->items[task].n - 1];
	if (last->kind != SCHED_STEP_SLEEP) {
		r->targetless++;
	} else if (last->is_paired) {
		r->multi_target++;
	} else {
		last->is_paired = true;
		wake->is_paired = true;
		r->wakes++;
	}
}

void sched_replay_take(struct sched_replay *r, const struct sched_event *e)
{
	if (!r->begin)
		r->begin = e->time;
	if (e->kind == SCHED_SWITCH)
		sched_replay_take_switch(r, e);
	else if (e->kind == SCHED_WAKEUP || e->kind == SCHED_WAKEUP_NEW ||
		 (e->kind == SCHED_WAKING && r->all))
		sched_replay_take_wakeup(r, e);
}

void sched_replay_fork(struct sched_replay *r, uint32_t parent, const char *parent_comm,
		       uint32_t child, const char *child_comm)
{
	sched_replay_task_of(r, parent,
			     (struct sched_comm){ parent_comm, (uint32_t)strlen(parent_comm) });
	sched_replay_task_of(r, child,
			     (struct sched_comm){ child_comm, (uint32_t)strlen(child_comm) });
}
