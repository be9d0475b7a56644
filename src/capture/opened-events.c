/* SPDX-License-Identifier: MIT */
#include "capture/opened-events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/attr-file.h"
#include "kernel/explain.h"
#include "kernel/perf-event.h"
#include "kernel/pmu.h"

size_t opened_event_places(const struct opened_event *e)
{
	return e->n_cpus * e->n_tasks;
}

int opened_event_cpu(const struct opened_event *e, size_t place)
{
	return e->cpus[place / e->n_tasks];
}

size_t opened_event_task(const struct opened_event *e, size_t place)
{
	return place % e->n_tasks;
}

int opened_event_fd(const struct opened_event *e, int cpu, size_t task)
{
	for (size_t i = 0; i < e->n_cpus; i++)
		if (e->cpus[i] == cpu && task < e->n_tasks)
			return e->fds[i * e->n_tasks + task];
	return -1;
}

void opened_event_close(struct opened_event *e)
{
	for (size_t i = 0; i < opened_event_places(e); i++) {
		closep(&e->fds[i]);
		e->fds[i] = -1;
	}
}

/*
 * True for an event of an uncore PMU, which counts for the whole machine, on the CPUs in its
 * cpumask, for no task.
 */
static bool is_uncore(const struct event *e)
{
	return e->whole_cpus || (e->pmu && e->pmu->has_cpus && !e->pmu->core && !e->traces);
}

static bool is_of_tasks(const struct opened_event *e, const struct open_request *rq)
{
	return rq->tasks->n && !is_uncore(e->event);
}

/* Chooses the places of the event, from its kind and the request. */
static void opened_events_place(struct opened_event *e, const struct open_request *rq)
{
	const struct pmu *pmu = e->event->pmu;
	const struct cpu_list *limit = pmu && pmu->has_cpus ? &pmu->cpus : NULL;

	e->n_tasks = is_of_tasks(e, rq) ? rq->tasks->n : 1;
	e->cpus = xcalloc(rq->cpus->n + 1, sizeof(e->cpus[0]));
	if (rq->any_cpu && is_of_tasks(e, rq))
		e->cpus[e->n_cpus++] = -1;
	else
		for (size_t i = 0; i < rq->cpus->n; i++)
			if (!limit || cpu_list_contains(limit, rq->cpus->items[i]))
				e->cpus[e->n_cpus++] = (int)rq->cpus->items[i];
	e->fds = xcalloc(opened_event_places(e) + 1, sizeof(e->fds[0]));
	for (size_t i = 0; i < opened_event_places(e); i++)
		e->fds[i] = -1;
	if (rq->use == EVENT_USE_COUNTING)
		e->counts = xcalloc(opened_event_places(e) + 1, sizeof(e->counts[0]));
}

static bool same_places(const struct opened_event *a, const struct opened_event *b)
{
	return a->n_cpus == b->n_cpus && a->n_tasks == b->n_tasks && a->cgroup_fd == b->cgroup_fd &&
	       !memcmp(a->cpus, b->cpus, a->n_cpus * sizeof(a->cpus[0]));
}

static bool is_tool(const struct event *e, enum event_use use)
{
	return use == EVENT_USE_COUNTING && e->tool != EVENT_TOOL_NONE;
}

static enum opened_state opened_events_state_of(const struct open_request *rq, size_t i)
{
	if (is_tool(rq->events->items[i], rq->use))
		return OPENED_TOOL;
	return rq->outside && rq->outside[i] ? OPENED_OUTSIDE : OPENED;
}

/*
 * Returns the first opened event of the group: events that other code counts, or perf itself,
 * cannot lead.
 */
static size_t leader_of(const struct open_request *rq, size_t i)
{
	const struct event_list *l = rq->events;
	size_t leader = l->items[i]->leader;

	while (leader < i && (l->items[leader]->leader != l->items[i]->leader ||
			      opened_events_state_of(rq, leader) != OPENED))
		leader++;
	return leader;
}

static void opened_events_place_all(struct opened_events *es, const struct open_request *rq)
{
	const struct event_list *l = rq->events;

	for (size_t i = 0; i < l->n; i++) {
		struct opened_event *e = ARRAY_ADD(es);

		e->event = l->items[i];
		e->state = opened_events_state_of(rq, i);
		e->cgroup_fd = rq->cgroup_fds ? rq->cgroup_fds[i] : -1;
		e->leader = e->state == OPENED_OUTSIDE ? i : leader_of(rq, i);
		opened_events_place(e, rq);
		if (rq->use == EVENT_USE_COUNTING && !same_places(e, &es->items[e->leader]))
			e->leader = i;
	}
}

size_t opened_events_group_end(const struct opened_events *es, size_t i)
{
	size_t end = i + 1;

	while (end < es->n && es->items[end].event->leader == es->items[i].event->leader)
		end++;
	return end;
}

static bool is_grouped(const struct opened_events *es, size_t i)
{
	if (es->items[i].leader != i)
		return true;
	for (size_t j = i + 1; j < opened_events_group_end(es, i); j++)
		if (es->items[j].leader == i && es->items[j].state != OPENED_TOOL)
			return true;
	return false;
}

/* Completes the attr of event @i for counting. A group starts with its leader. */
static void prepare_to_count(const struct opened_events *es, size_t i,
			     const struct open_request *rq)
{
	const struct opened_event *e = &es->items[i];
	struct attr *a = &e->event->attr;
	bool leads = e->leader == i;

	a->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (is_grouped(es, i))
		a->read_format |= PERF_FORMAT_ID | PERF_FORMAT_GROUP;
	a->sample_type = PERF_SAMPLE_IDENTIFIER;
	a->sample_period = 0;
	a->inherit = rq->inherit;
	a->disabled = leads;
	a->enable_on_exec = leads && is_of_tasks(e, rq) && rq->enable_on_exec;
}

static int opened_events_open_place(struct opened_event *e, size_t i,
				    const struct opened_event *leader,
				    const struct open_request *rq)
{
	int cpu = opened_event_cpu(e, i);
	size_t task = opened_event_task(e, i);
	int group_fd = leader == e ? -1 : opened_event_fd(leader, cpu, task);
	pid_t pid = is_of_tasks(e, rq) ? rq->tasks->items[task].tid : -1;
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;

	if (e->cgroup_fd >= 0) {
		pid = e->cgroup_fd;
		flags |= PERF_FLAG_PID_CGROUP;
	}
	/* The leader's task has ended, so its members cannot be opened. */
	if (leader != e && group_fd < 0)
		return -ESRCH;

	int fd = perf_event_open(&e->event->attr, pid, cpu, group_fd, flags);

	if (fd < 0)
		return fd;
	e->fds[i] = fd;
	attr_file_write(&(struct attr_file){ .attr = &e->event->attr,
					     .fd = fd,
					     .group_fd = group_fd,
					     .cpu = cpu,
					     .pid = pid,
					     .flags = flags });
	return 0;
}

/*
 * Opens @e at all its places, or at none. Tasks that have ended are left out; -ESRCH: all have
 * ended.
 */
static int open_places(struct opened_event *e, const struct opened_event *leader,
		       const struct open_request *rq)
{
	size_t gone = 0;
	int r = 0;

	for (size_t i = 0; i < opened_event_places(e) && r >= 0; i++) {
		r = opened_events_open_place(e, i, leader, rq);
		if (r == -ESRCH && is_of_tasks(e, rq)) {
			gone++;
			r = 0;
		}
	}
	if (gone && gone == opened_event_places(e))
		r = -ESRCH;
	if (r < 0)
		opened_event_close(e);
	return r;
}

static bool is_weak(const struct opened_events *es, size_t i)
{
	size_t leader = es->items[i].leader;

	return leader != i && es->items[leader].event->modifiers.weak_group;
}

static bool may_be_unsupported(const struct opened_events *es, size_t i,
			       const struct open_request *rq, int error)
{
	return rq->use == EVENT_USE_COUNTING && fallback_is_unsupported(error) &&
	       !(error == -EINVAL && is_weak(es, i));
}

#define UNNAMED "cycles (the default event)"

/* Opens event @i, with fewer features where the kernel does not accept all of them. */
static int open_with_fallbacks(struct opened_events *es, size_t i, const struct open_request *rq)
{
	struct opened_event *e = &es->items[i];
	struct fallback fallback = es->fallback;
	struct attr wanted = e->event->attr;
	_cleanup_(freep) char *typed = xstrdup(e->event->name);
	int r;

	fallback_begin(&fallback, &e->event->attr);
	do {
		r = open_places(e, &es->items[e->leader], rq);
	} while (r < 0 && (r == -EMFILE ? perf_event_raise_file_limit() == 0
					: fallback_next(&fallback, e->event, &wanted, r)));
	if (r >= 0) {
		es->fallback = fallback;
		return 0;
	}
	if (may_be_unsupported(es, i, rq, r)) {
		e->state = OPENED_UNSUPPORTED;
		e->error = r;
		return 0;
	}
	/*
	 * No dropped feature was the reason for the error; the user knows the name that was typed.
	 */
	e->event->attr = wanted;
	free(e->event->name);
	e->event->name = e->event->unnamed ? xstrdup(UNNAMED) : TAKE(typed);
	return r;
}

static bool is_about_rights(int error)
{
	return error == -EACCES || error == -EPERM;
}

/*
 * Explains an error. If the kernel also forbids the event on ourselves, the task's owner is not the
 * reason. An event that the kernel does not know at all shows nothing about rights.
 */
static int opened_events_explain(const struct opened_event *e, const struct open_request *rq,
				 int error, struct diag *diag)
{
	const struct attr *attr = &e->event->attr;
	const char *name = e->event->name;
	_cleanup_(closep) int fd = error;

	if (error == -ESRCH)
		return diag_set(diag, error, "the tasks to be %s have ended",
				rq->use == EVENT_USE_COUNTING ? "counted" : "recorded");
	if (is_of_tasks(e, rq) && is_about_rights(error))
		fd = perf_event_open(attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd == error || is_about_rights(fd))
		return perf_event_explain(attr, name, error, diag);
	diag_set(diag, error, "%s: not allowed on a process of another user", name);
	diag_hint(diag, "Run as that user, or as root.");
	return error;
}

static int open_one(struct opened_events *es, size_t i, const struct open_request *rq,
		    struct diag *diag);

/*
 * Breaks up the weak group (:W) of event @i, which does not fit the counters. Its events are opened
 * one by one: those up to @i now, the others when it is their turn. Each starts as the leader would
 * have.
 */
static int break_group(struct opened_events *es, size_t i, const struct open_request *rq,
		       struct diag *diag)
{
	size_t leader = es->items[i].leader;
	const struct attr *first = &es->items[leader].event->attr;
	int r = 0;

	for (size_t j = leader; j < opened_events_group_end(es, leader); j++) {
		struct opened_event *e = &es->items[j];

		if (e->leader != leader || e->state == OPENED_TOOL)
			continue;
		opened_event_close(e);
		e->leader = j;
		e->state = OPENED;
		e->error = 0;
		e->event->attr.disabled = first->disabled;
		e->event->attr.enable_on_exec = first->enable_on_exec;
	}
	for (size_t j = leader; j <= i && r >= 0; j++)
		r = open_one(es, j, rq, diag);
	return r;
}

static int open_one(struct opened_events *es, size_t i, const struct open_request *rq,
		    struct diag *diag)
{
	struct opened_event *e = &es->items[i];
	const struct opened_event *leader = &es->items[e->leader];
	int r;

	if (e->state == OPENED_TOOL || e->state == OPENED_OUTSIDE)
		return 0;
	if (leader->state != OPENED && is_weak(es, i))
		return break_group(es, i, rq, diag);
	/* A group needs its leader. */
	if (leader->state != OPENED && leader != e) {
		e->state = OPENED_UNSUPPORTED;
		e->error = leader->error;
		return 0;
	}
	if (rq->use == EVENT_USE_COUNTING)
		prepare_to_count(es, i, rq);
	r = open_with_fallbacks(es, i, rq);
	if (r == -EINVAL && is_weak(es, i))
		return break_group(es, i, rq, diag);
	return r < 0 ? opened_events_explain(e, rq, r, diag) : 0;
}

/*
 * Sets the filter. It was checked when it was parsed, so if the kernel still rejects it, it is too
 * large.
 */
static int opened_events_set_filter(const struct opened_event *e, struct diag *diag)
{
	const char *filter = e->event->filter;

	for (size_t i = 0; filter && i < opened_event_places(e); i++)
		if (e->fds[i] >= 0 && ioctl(e->fds[i], PERF_EVENT_IOC_SET_FILTER, filter) < 0)
			return diag_set(diag, -errno, "%s: the kernel refuses the filter '%s': %s",
					e->event->name, filter, strerror(errno));
	return 0;
}

int opened_events_find_ids(struct opened_events *es, struct diag *diag)
{
	for (size_t i = 0; i < es->n; i++) {
		struct opened_event *e = &es->items[i];
		size_t n = opened_event_places(e);

		if (!e->ids)
			e->ids = xcalloc(n + 1, sizeof(e->ids[0]));
		for (size_t j = 0; j < n; j++)
			if (e->fds[j] >= 0 && ioctl(e->fds[j], PERF_EVENT_IOC_ID, &e->ids[j]) < 0)
				return diag_set(diag, -errno, "%s: cannot read the event's id: %s",
						e->event->name, strerror(errno));
	}
	return 0;
}

int opened_events_open(const struct open_request *rq, struct opened_events *ret, struct diag *diag)
{
	int r = 0;

	ret->fallback.clock_for_cycles = rq->use == EVENT_USE_SAMPLING;
	opened_events_place_all(ret, rq);
	for (size_t i = 0; i < ret->n && r >= 0; i++)
		r = open_one(ret, i, rq, diag);
	for (size_t i = 0; i < ret->n && r >= 0; i++)
		r = opened_events_set_filter(&ret->items[i], diag);
	if (r >= 0 && rq->use == EVENT_USE_SAMPLING)
		r = opened_events_find_ids(ret, diag);
	return r;
}

void opened_events_close(struct opened_events *es)
{
	for (size_t i = 0; i < es->n; i++) {
		struct opened_event *e = &es->items[i];

		opened_event_close(e);
		free(e->cpus);
		free(e->fds);
		free(e->ids);
		free(e->counts);
	}
	free(es->items);
	*es = (struct opened_events){ 0 };
}

static int control_event(const struct opened_event *e, unsigned long request)
{
	int r = 0;

	for (size_t i = 0; i < opened_event_places(e); i++)
		if (e->fds[i] >= 0 && ioctl(e->fds[i], request, 0) < 0 && r == 0)
			r = -errno;
	return r;
}

static int control_leaders(const struct opened_events *es, unsigned long request)
{
	int r = 0;

	for (size_t i = 0; i < es->n && r >= 0; i++)
		if (es->items[i].leader == i)
			r = control_event(&es->items[i], request);
	return r;
}

static int enable_outside(struct opened_events *es, bool on)
{
	return es->outside.enable ? es->outside.enable(es->outside.arg, on) : 0;
}

int opened_events_begin(struct opened_events *es)
{
	int r = enable_outside(es, true);

	for (size_t i = 0; i < es->n && r >= 0; i++) {
		const struct attr *a = &es->items[i].event->attr;

		if (es->items[i].leader == i && a->disabled && !a->enable_on_exec)
			r = control_event(&es->items[i], PERF_EVENT_IOC_ENABLE);
	}
	return r;
}

int opened_events_enable(struct opened_events *es)
{
	int r = enable_outside(es, true);

	return r < 0 ? r : control_leaders(es, PERF_EVENT_IOC_ENABLE);
}

int opened_events_disable(struct opened_events *es)
{
	int r = enable_outside(es, false);

	return r < 0 ? r : control_leaders(es, PERF_EVENT_IOC_DISABLE);
}

int opened_events_switch(struct opened_events *es, const char *name, bool on)
{
	int r = -ENOENT;

	for (size_t i = 0; i < es->n; i++)
		if (!strcmp(es->items[i].event->name, name))
			r = control_event(&es->items[i],
					  on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE);
	return r;
}

void opened_events_for_each(const struct opened_events *es,
			    void (*each)(void *arg, const struct opened_event *event, size_t place),
			    void *arg)
{
	for (size_t i = 0; i < es->n; i++)
		for (size_t j = 0; j < opened_event_places(&es->items[i]); j++)
			if (es->items[i].fds[j] >= 0)
				each(arg, &es->items[i], j);
}
