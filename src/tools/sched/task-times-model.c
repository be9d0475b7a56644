/* SPDX-License-Identifier: MIT */
#include "tools/sched/task-times-model.h"

#include <stdlib.h>
#include <string.h>

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

/* Ends the current time of @task at @now. It counts as @kind if its beginning is known. */
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

/*
 * The number of buckets of a power of two, and its logarithm. Durations below it have buckets of
 * their own.
 */
#define PARTS     16
#define PARTS_LOG 4

void spread_done(struct spread *s)
{
	free(s->buckets);
}

size_t spread_bucket(uint64_t ns)
{
	unsigned shift;

	if (ns < PARTS)
		return (size_t)ns;
	shift = 63 - (unsigned)__builtin_clzll(ns) - PARTS_LOG;
	return (size_t)shift * PARTS + (size_t)(ns >> shift);
}

uint64_t spread_bucket_first(size_t bucket)
{
	size_t shift = bucket / PARTS - 1;

	if (bucket < PARTS)
		return bucket;
	return (uint64_t)(bucket - shift * PARTS) << shift;
}

static void spread_model_count(struct spread *s, uint64_t ns)
{
	uint32_t *bucket = &s->buckets[spread_bucket(ns)];

	*bucket += *bucket < UINT32_MAX;
}

static void begin_buckets(struct spread *s)
{
	s->buckets = xcalloc(SPREAD_BUCKETS, sizeof(*s->buckets));
	for (size_t i = 0; i < SPREAD_FEW; i++)
		spread_model_count(s, s->few[i]);
}

void spread_add(struct spread *s, uint64_t ns)
{
	if (s->n < SPREAD_FEW)
		s->few[s->n] = ns;
	else if (!s->buckets)
		begin_buckets(s);
	if (s->buckets)
		spread_model_count(s, ns);
	s->n++;
	s->sum_ns += ns;
	if (ns > s->max_ns)
		s->max_ns = ns;
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t exact_quantile(const struct spread *s, uint64_t rank)
{
	uint64_t sorted[SPREAD_FEW];

	memcpy(sorted, s->few, sizeof(sorted));
	qsort(sorted, s->n, sizeof(*sorted), by_size);
	return sorted[rank - 1];
}

uint64_t spread_quantile(const struct spread *s, double share)
{
	uint64_t rank = (uint64_t)(share * (double)s->n), seen = 0, last;

	if (!s->n)
		return 0;
	if ((double)rank < share * (double)s->n || !rank)
		rank++;
	if (rank > s->n)
		rank = s->n;
	if (!s->buckets)
		return exact_quantile(s, rank);
	for (size_t i = 0; i < SPREAD_BUCKETS; i++) {
		seen += s->buckets[i];
		if (seen < rank)
			continue;
		last = i + 1 < SPREAD_BUCKETS ? spread_bucket_first(i + 1) - 1 : UINT64_MAX;
		return last < s->max_ns ? last : s->max_ns;
	}
	return s->max_ns;
}

uint64_t spread_count(const struct spread *s, uint64_t first_ns, uint64_t end_ns)
{
	uint64_t n = 0;

	for (size_t i = 0; !s->buckets && i < s->n; i++)
		n += s->few[i] >= first_ns && s->few[i] < end_ns;
	for (size_t i = spread_bucket(first_ns); s->buckets && i < spread_bucket(end_ns); i++)
		n += s->buckets[i];
	return n;
}
