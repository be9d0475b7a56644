/* SPDX-License-Identifier: MIT */
#include "tools/sched/task-times-model.h"

#include <stdlib.h>

#include "base/memory.h"

void task_times_done(struct task_times *t)
{
	for (size_t i = 0; i < t->tasks.n; i++) {
		for (size_t k = 0; k < TASK_TIMES; k++)
			spread_done(&t->tasks.items[i]->times[k]);
		free(t->tasks.items[i]);
	}
	free(t->tasks.items);
	u64_map_done(&t->by_tid);
}

static struct timed_task *task_times_task_of(struct task_times *t, uint32_t tid)
{
	struct timed_task *task = u64_map_find(&t->by_tid, tid);

	if (task)
		return task;
	task = xcalloc(1, sizeof(*task));
	task->tid = tid;
	u64_map_put(&t->by_tid, tid, task);
	*ARRAY_ADD(&t->tasks) = task;
	return task;
}

/* What @task did until @now ends; it counts as @kind if the beginning is known. */
static void end_time(struct task_times *t, struct timed_task *task, enum task_time kind,
		     uint64_t now)
{
	if (task->doing == TASK_UNSEEN || now < task->since_ns)
		t->unmatched++;
	else
		spread_add(&task->times[kind], now - task->since_ns);
}

static void begin_doing(struct timed_task *task, enum task_doing doing, uint64_t now)
{
	task->doing = doing;
	task->since_ns = now;
}

static void task_times_take_switch(struct task_times *t, const struct sched_event *e)
{
	struct timed_task *task;

	if (e->tid) {
		task = task_times_task_of(t, e->tid);
		if (task->doing == TASK_RUNS || task->doing == TASK_UNSEEN)
			end_time(t, task, TASK_RUN, e->time);
		begin_doing(task, e->state == TASK_STATE_RUNNABLE ? TASK_WANTS_CPU : TASK_SLEEPS,
			    e->time);
		sched_name_set(&task->name, e->comm);
	}
	if (e->next_tid) {
		task = task_times_task_of(t, e->next_tid);
		if (task->doing == TASK_WANTS_CPU || task->doing == TASK_UNSEEN)
			end_time(t, task, TASK_DELAY, e->time);
		begin_doing(task, TASK_RUNS, e->time);
	}
}

static void task_times_take_wakeup(struct task_times *t, const struct sched_event *e)
{
	struct timed_task *task = task_times_task_of(t, e->tid);

	if (task->doing == TASK_RUNS || task->doing == TASK_WANTS_CPU)
		return;
	if (task->doing == TASK_SLEEPS)
		end_time(t, task, TASK_SLEEP, e->time);
	begin_doing(task, TASK_WANTS_CPU, e->time);
	sched_name_set(&task->name, e->comm);
}

void task_times_take(struct task_times *t, const struct sched_event *e)
{
	if (e->kind == SCHED_SWITCH)
		task_times_take_switch(t, e);
	else if (e->kind == SCHED_WAKING || e->kind == SCHED_WAKEUP || e->kind == SCHED_WAKEUP_NEW)
		task_times_take_wakeup(t, e);
}

void task_times_forget(struct task_times *t, uint32_t tid)
{
	u64_map_remove(&t->by_tid, tid);
}

static uint64_t task_times_count_of(const struct timed_task *t)
{
	uint64_t n = 0;

	for (size_t k = 0; k < TASK_TIMES; k++)
		n += t->times[k].n;
	return n;
}

static int by_delay(const void *a, const void *b)
{
	const struct timed_task *x = *(const struct timed_task *const *)a;
	const struct timed_task *y = *(const struct timed_task *const *)b;
	uint64_t of_x = x->times[TASK_DELAY].sum_ns, of_y = y->times[TASK_DELAY].sum_ns;

	if (of_x != of_y)
		return of_x > of_y ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

const struct timed_task **task_times_sorted(const struct task_times *t, size_t *ret_n)
{
	const struct timed_task **all = xcalloc(t->tasks.n + 1, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < t->tasks.n; i++)
		if (task_times_count_of(t->tasks.items[i]))
			all[n++] = t->tasks.items[i];
	qsort(all, n, sizeof(*all), by_delay);
	*ret_n = n;
	return all;
}
