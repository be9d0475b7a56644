/* SPDX-License-Identifier: MIT */
#include "measure/count-drm.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/notes.h"
#include "count/stat-model.h"
#include "event/event.h"
#include "kernel/drm.h"
#include "measure/count.h"

struct count_drm {
	pid_t *tasks; /* one thread of each process, or each thread that is a row; NULL: all */
	size_t n;
	bool by_task;           /* tasks are rows, and each has a list */
	struct drm_list *lists; /* one, or one for each task */
	bool told;
};

static size_t n_lists(const struct count_drm *d)
{
	return d->by_task ? d->n : 1;
}

static bool count_drm_has_events(const struct count_job *j)
{
	for (size_t i = 0; i < j->plan.events.n; i++)
		if (j->plan.events.items[i]->tool == EVENT_TOOL_DRM)
			return true;
	return false;
}

void count_drm_begin(struct count_job *j, pid_t child)
{
	struct count_drm *d;

	count_drm_end(j);
	if (!count_drm_has_events(j))
		return;
	d = j->drm = xcalloc(1, sizeof(*d));
	d->by_task = count_job_aggregation(j) == STAT_THREAD && !child;
	if (child || (!j->cpus && j->tasks.n) || d->by_task)
		d->tasks = xcalloc(j->tasks.n + 1, sizeof(d->tasks[0]));
	if (child)
		d->tasks[d->n++] = child;
	for (size_t i = 0; d->tasks && !child && i < j->tasks.n; i++) {
		const struct target_task *t = &j->tasks.items[i];

		/* All threads of a process have the same files. */
		if (d->by_task || !t->process || t->process == t->tid)
			d->tasks[d->n++] = t->tid;
	}
	d->lists = xcalloc(n_lists(d) + 1, sizeof(d->lists[0]));
}

static void count_drm_forget(struct count_drm *d)
{
	for (size_t i = 0; i < n_lists(d); i++)
		drm_list_done(&d->lists[i]);
}

void count_drm_end(struct count_job *j)
{
	if (!j->drm)
		return;
	count_drm_forget(j->drm);
	free(j->drm->lists);
	free(j->drm->tasks);
	free(j->drm);
	j->drm = NULL;
}

void count_drm_read(struct count_job *j)
{
	struct count_drm *d = j->drm;

	if (!d)
		return;
	count_drm_forget(d);
	if (!d->by_task)
		drm_list_read(&drm_here, d->tasks, d->n, &d->lists[0]);
	for (size_t i = 0; d->by_task && i < d->n; i++)
		drm_list_read(&drm_here, &d->tasks[i], 1, &d->lists[i]);
	/* In an interval the reason is known: it is the last one. */
	if (d->by_task || d->lists[0].processes || d->told || j->rq->interval_ms)
		return;
	d->told = true;
	notes_add(j->notes, NOTE_WARNING,
		  "drm events are read from /proc while processes run, and %s ended: use -I, or -a "
		  "to see all processes",
		  d->n == 1 ? "this one has" : "these have");
}

static uint64_t value_in(const struct drm_list *l, const struct event *e)
{
	return drm_list_value(l, e->drm_pmu, e->drm_key);
}

bool count_drm_value(const struct count_job *j, const struct event *e, uint64_t *ret)
{
	const struct count_drm *d = j->drm;
	uint64_t sum = 0;
	bool any = false;

	for (size_t i = 0; i < n_lists(d); i++) {
		any |= d->lists[i].processes > 0;
		sum += value_in(&d->lists[i], e);
	}
	if (any)
		*ret = sum;
	return any;
}

void count_drm_feed(struct count_job *j, size_t i)
{
	const struct event *e = j->counters.items[i].event;

	for (size_t task = 0; task < n_lists(j->drm); task++) {
		const struct drm_list *l = &j->drm->lists[task];
		uint64_t value = value_in(l, e);

		stat_model_count_drm(j->model, i, task, l->processes ? &value : NULL);
	}
}
