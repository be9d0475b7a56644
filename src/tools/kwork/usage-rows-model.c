/* SPDX-License-Identifier: MIT */
/* Makes the rows of `perf kwork top`: shares of CPUs and tasks, in order. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/memory.h"
#include "tools/kwork/order-model.h"
#include "tools/kwork/usage-model.h"

/* A whole CPU, in hundredths of a percent. */
#define WHOLE 10000

const char *const kwork_usage_key_names[] = {
	[KWORK_USE_BY_SHARE] = "rate",
	[KWORK_USE_BY_RUNTIME] = "runtime",
	[KWORK_USE_BY_TID] = "tid",
	NULL,
};

static int compare_items(const void *left, const void *right)
{
	const struct kwork_item *a = *(const struct kwork_item *const *)left;
	const struct kwork_item *b = *(const struct kwork_item *const *)right;

	if (a->cpu != b->cpu)
		return a->cpu > b->cpu ? -1 : 1;
	return a->id > b->id ? -1 : a->id < b->id;
}

/* Returns the runs of tasks on each CPU, with the last CPU and the greatest tid first. */
static const struct kwork_item **runs_of(const struct kwork_items *t, size_t *ret_n)
{
	const struct kwork_item **runs = xcalloc(t->n + 1, sizeof(*runs));
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->items[i]->class == KWORK_SCHED)
			runs[n++] = t->items[i];
	qsort(runs, n, sizeof(*runs), compare_items);
	*ret_n = n;
	return runs;
}

static int kwork_usage_rows_compare_cpus(const void *left, const void *right)
{
	const struct kwork_cpu_use *a = left, *b = right;

	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

static struct kwork_cpu_use *kwork_usage_rows_find_cpu(struct kwork_usage_rows *r, uint32_t cpu)
{
	return bsearch(&(struct kwork_cpu_use){ .cpu = cpu }, r->cpus, r->n_cpus, sizeof(*r->cpus),
		       kwork_usage_rows_compare_cpus);
}

static bool kwork_usage_rows_is_shown(const struct kwork_usage_choice *c,
				      const struct kwork_item *run)
{
	return run->count && (!c->cpus || !c->cpus->n || cpu_list_contains(c->cpus, run->cpu));
}

/* Adds the CPUs. @runs are in order of CPUs, the last one first. */
static void kwork_usage_rows_add_cpus(struct kwork_usage_rows *r,
				      const struct kwork_usage_choice *choice,
				      const struct kwork_item *const *runs, size_t n)
{
	r->cpus = xcalloc(n + 1, sizeof(*r->cpus));
	for (size_t i = n; i-- > 0;) {
		if (!kwork_usage_rows_is_shown(choice, runs[i]))
			continue;
		if (!r->n_cpus || r->cpus[r->n_cpus - 1].cpu != runs[i]->cpu)
			r->cpus[r->n_cpus++].cpu = runs[i]->cpu;
		r->cpus[r->n_cpus - 1].time_ns += runs[i]->sum_ns;
		r->time_ns += runs[i]->sum_ns;
	}
}

/* Returns the time for which work of @class interrupted the task of @run. */
static uint64_t interrupted_ns(const struct kwork_items *t, const struct kwork_item *run,
			       enum kwork_class class)
{
	const struct kwork_item *item = kwork_items_find(t, class, run->cpu, run->id);

	return item ? item->sum_ns : 0;
}

static uint64_t kwork_usage_rows_share_of(uint64_t ns, uint64_t whole_ns)
{
	return whole_ns ? (uint64_t)((double)ns * WHOLE / (double)whole_ns) : 0;
}

/* Adds a task. It is added even if its runs are not shown, because it may provide the name. */
static void kwork_usage_rows_add_task(const struct kwork_items *items,
				      const struct kwork_usage_choice *choice,
				      const struct kwork_item *run, struct kwork_usage_rows *r)
{
	struct kwork_task_use *t = &r->tasks[r->n_tasks++];
	uint64_t irq, softirq;

	*t = (struct kwork_task_use){ .tid = (uint32_t)run->id,
				      .cpu = run->cpu,
				      .name = run->name };
	if (!kwork_usage_rows_is_shown(choice, run))
		return;
	irq = interrupted_ns(items, run, KWORK_IRQ);
	softirq = interrupted_ns(items, run, KWORK_SOFTIRQ);
	t->runs = run->count;
	t->run_ns = run->sum_ns > irq + softirq ? run->sum_ns - irq - softirq : 0;
	t->share = kwork_usage_rows_share_of(t->run_ns,
					     kwork_usage_rows_find_cpu(r, run->cpu)->time_ns);
	r->irq_ns += irq;
	r->softirq_ns += softirq;
	if (!t->tid)
		r->idle_ns += t->run_ns;
}

/* Removes tasks with other names, and adds up the rest for each CPU. */
static void choose_tasks(struct kwork_usage_rows *r, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_tasks; i++) {
		const struct kwork_task_use *t = &r->tasks[i];

		if (name && strcmp(name, t->name) != 0)
			continue;
		if (t->tid && t->runs)
			kwork_usage_rows_find_cpu(r, t->cpu)->busy_ns += t->run_ns;
		r->tasks[n++] = *t;
	}
	r->n_tasks = n;
	for (size_t i = 0; i < r->n_cpus; i++)
		r->cpus[i].share = kwork_usage_rows_share_of(r->cpus[i].busy_ns,
							     r->cpus[i].time_ns);
}

static int kwork_usage_rows_compare_tids(const void *left, const void *right)
{
	const struct kwork_task_use *a = left, *b = right;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->cpu > b->cpu ? -1 : a->cpu < b->cpu;
}

/*
 * Merges the rows of a task that was on several CPUs into one, with its name on the last of them.
 * Each CPU has an idle task of its own.
 */
static void merge_tasks(struct kwork_usage_rows *r)
{
	size_t n = 0;

	qsort(r->tasks, r->n_tasks, sizeof(*r->tasks), kwork_usage_rows_compare_tids);
	for (size_t i = 0; i < r->n_tasks; i++) {
		struct kwork_task_use *t = &r->tasks[i];

		if (!n || !t->tid || r->tasks[n - 1].tid != t->tid) {
			r->tasks[n++] = *t;
			continue;
		}
		r->tasks[n - 1].runs += t->runs;
		r->tasks[n - 1].run_ns += t->run_ns;
		r->tasks[n - 1].share += t->share;
	}
	r->n_tasks = n;
}

/* Removes tasks that were only switched to, or only switched away from. */
static void drop_without_runs(struct kwork_usage_rows *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_tasks; i++)
		if (r->tasks[i].runs)
			r->tasks[n++] = r->tasks[i];
	r->n_tasks = n;
}

static int kwork_usage_rows_compare_by(unsigned key, const struct kwork_task_use *a,
				       const struct kwork_task_use *b)
{
	switch ((enum kwork_usage_key)key) {
	case KWORK_USE_BY_SHARE:
		return a->share > b->share ? -1 : a->share < b->share;
	case KWORK_USE_BY_RUNTIME:
		return a->run_ns > b->run_ns ? -1 : a->run_ns < b->run_ns;
	case KWORK_USE_BY_TID:
		break;
	}
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

static int kwork_usage_rows_compare_tasks(const void *left, const void *right, void *arg)
{
	const struct kwork_order *order = arg;
	const struct kwork_task_use *a = left, *b = right;
	int r = 0;

	for (size_t i = 0; i < order->n && !r; i++)
		r = kwork_usage_rows_compare_by(order->keys[i], a, b);
	if (!r && a->cpu != b->cpu)
		r = a->cpu > b->cpu ? -1 : 1;
	return r ? r : (a->tid > b->tid ? -1 : a->tid < b->tid);
}

void kwork_usage_rows(const struct kwork_items *items, const struct kwork_usage_choice *choice,
		      struct kwork_usage_rows *ret)
{
	size_t n;
	_cleanup_(freep) const struct kwork_item **runs = runs_of(items, &n);

	*ret = (struct kwork_usage_rows){ .tasks = xcalloc(n + 1, sizeof(*ret->tasks)) };
	kwork_usage_rows_add_cpus(ret, choice, runs, n);
	for (size_t i = 0; i < n; i++)
		kwork_usage_rows_add_task(items, choice, runs[i], ret);
	choose_tasks(ret, choice->name);
	merge_tasks(ret);
	drop_without_runs(ret);
	qsort_r(ret->tasks, ret->n_tasks, sizeof(*ret->tasks), kwork_usage_rows_compare_tasks,
		(void *)choice->order);
}

void kwork_usage_rows_done(struct kwork_usage_rows *r)
{
	free(r->cpus);
	free(r->tasks);
}
