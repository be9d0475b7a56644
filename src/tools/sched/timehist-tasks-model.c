/* SPDX-License-Identifier: MIT */
#include "tools/sched/timehist-tasks-model.h"

#include <stdlib.h>

#include "base/cpu-list.h"
#include "base/memory.h"
#include "wire/record.h"

void timehist_tasks_done(struct timehist_tasks *t)
{
	u64_map_done(&t->by_tid);
	free(t->all.items);
	free(t->idle.items);
	intern_done(&t->names);
	arena_done(&t->arena);
}

static struct timehist_task *new_task(struct timehist_tasks *t, int32_t pid, int32_t tid)
{
	struct timehist_task *task = arena_alloc(&t->arena, sizeof(*task));

	*task = (struct timehist_task){
		.index = (uint32_t)t->all.n, .tid = tid, .pid = pid, .ppid = TIMEHIST_NO_TASK
	};
	*ARRAY_ADD(&t->all) = task;
	return task;
}

/* Adds a task. It is announced when its numbers are known. */
static struct timehist_task *sched_timehist_tasks_add_task(struct timehist_tasks *t, int32_t pid,
							   int32_t tid)
{
	struct timehist_task *task = new_task(t, pid, tid);
	struct timehist_task *old = u64_map_find(&t->by_tid, (uint32_t)tid);

	if (old)
		old->is_replaced = true;
	u64_map_put(&t->by_tid, (uint32_t)tid, task);
	if (t->on_new)
		t->on_new(t->arg, task);
	return task;
}

struct timehist_task *timehist_task_get(struct timehist_tasks *t, int32_t pid, int32_t tid)
{
	struct timehist_task *task = u64_map_find(&t->by_tid, (uint32_t)tid);

	if (!task)
		return sched_timehist_tasks_add_task(t, pid, tid);
	if (task->pid == TIMEHIST_NO_TASK && pid != TIMEHIST_NO_TASK) {
		task->pid = pid;
		if (t->on_new)
			t->on_new(t->arg, task);
	}
	return task;
}

struct timehist_task *timehist_task_find_idle(const struct timehist_tasks *t, uint32_t cpu)
{
	return cpu < t->idle.n ? t->idle.items[cpu] : NULL;
}

struct timehist_task *timehist_task_idle(struct timehist_tasks *t, uint32_t cpu)
{
	if (cpu >= CPU_MAX)
		return NULL;
	while (t->idle.n <= cpu)
		*ARRAY_ADD(&t->idle) = NULL;
	if (!t->idle.items[cpu]) {
		t->idle.items[cpu] = new_task(t, 0, 0);
		t->idle.items[cpu]->is_idle = true;
		t->idle.items[cpu]->comm = "<idle>";
		if (t->on_new)
			t->on_new(t->arg, t->idle.items[cpu]);
	}
	return t->idle.items[cpu];
}

static void sched_timehist_tasks_take_fork(struct timehist_tasks *t, const struct record_task *r)
{
	struct timehist_task *parent, *child;

	parent = timehist_task_get(t, (int32_t)r->ppid, (int32_t)r->ptid);
	/*
	 * The parent was seen before without its process. Linux's perf then makes a second task of
	 * it.
	 */
	if (parent->pid != (int32_t)r->ppid)
		parent = sched_timehist_tasks_add_task(t, (int32_t)r->ppid, (int32_t)r->ptid);
	child = sched_timehist_tasks_add_task(t, (int32_t)r->pid, (int32_t)r->tid);
	child->ppid = (int32_t)r->ptid;
	child->comm = parent->comm;
}

void timehist_tasks_take(struct timehist_tasks *t, const struct record *r)
{
	struct timehist_task *task;

	switch (r->header.type) {
	case PERF_RECORD_COMM:
		task = timehist_task_get(t, (int32_t)r->comm.pid, (int32_t)r->comm.tid);
		task->comm = intern_text(&t->names, r->comm.comm);
		break;
	case PERF_RECORD_FORK:
		sched_timehist_tasks_take_fork(t, &r->task);
		break;
	case PERF_RECORD_EXIT:
		task = u64_map_find(&t->by_tid, r->task.tid);
		if (task)
			task->has_ended = true;
		break;
	}
}
