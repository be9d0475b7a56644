/* SPDX-License-Identifier: MIT */
#include "capture/counters.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/fallback.h"
#include "event/event.h"
#include "kernel/explain.h"
#include "kernel/perf-event.h"
#include "kernel/pmu.h"
#include "wire/attr.h"

static size_t n_places(const struct counter *c)
{
	return c->n_cpus * c->n_tasks;
}

/* An uncore PMU counts for the whole machine, on the CPUs that its cpumask names, for no task. */
static bool is_uncore(const struct event *e)
{
	return e->pmu && e->pmu->has_cpus && !e->pmu->core;
}

static void take_cpus(struct counter *c, const struct cpu_list *wanted,
		      const struct cpu_list *limit)
{
	c->cpus = xcalloc(wanted->n ? wanted->n : 1, sizeof(c->cpus[0]));
	for (size_t i = 0; i < wanted->n; i++)
		if (!limit || cpu_list_contains(limit, wanted->items[i]))
			c->cpus[c->n_cpus++] = (int)wanted->items[i];
}

/* Where the event counts, by what it is and what was asked for. */
static void take_places(struct counter *c, const struct counters_request *rq)
{
	const struct event *e = c->event;
	const struct cpu_list *limit = e->pmu && e->pmu->has_cpus ? &e->pmu->cpus : NULL;

	c->n_tasks = 1;
	if (is_uncore(e) || !rq->tasks->n) {
		take_cpus(c, rq->cpus, limit);
	} else {
		c->cpus = xcalloc(1, sizeof(c->cpus[0]));
		c->cpus[0] = -1;
		c->n_cpus = 1;
		c->n_tasks = rq->tasks->n;
	}
	c->counts = xcalloc(n_places(c) + 1, sizeof(c->counts[0]));
	c->fds = xcalloc(n_places(c) + 1, sizeof(c->fds[0]));
	for (size_t i = 0; i < n_places(c); i++)
		c->fds[i] = -1;
}

static bool counts_tasks(const struct counter *c, const struct counters_request *rq)
{
	return rq->tasks->n && !is_uncore(c->event);
}

static bool same_places(const struct counter *a, const struct counter *b)
{
	return a->n_cpus == b->n_cpus && a->n_tasks == b->n_tasks && a->cgroup_fd == b->cgroup_fd &&
	       !memcmp(a->cpus, b->cpus, a->n_cpus * sizeof(a->cpus[0]));
}

static void prepare_attr(struct attr *attr, const struct counters_request *rq, bool leads,
			 bool group, bool tasks)
{
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (group)
		attr->read_format |= PERF_FORMAT_ID | PERF_FORMAT_GROUP;
	attr->sample_type = PERF_SAMPLE_IDENTIFIER;
	attr->sample_period = 0;
	attr->inherit = rq->inherit;
	/* A group starts and stops with its leader. */
	attr->disabled = leads;
	attr->enable_on_exec = leads && tasks && rq->enable_on_exec;
}

static void close_counter(struct counter *c)
{
	for (size_t i = 0; c->fds && i < n_places(c); i++)
		closep(&c->fds[i]);
	for (size_t i = 0; c->fds && i < n_places(c); i++)
		c->fds[i] = -1;
}

static int open_place(struct counter *c, const struct counter *leader, size_t cpu, size_t task,
		      const struct counters_request *rq)
{
	size_t place = cpu * c->n_tasks + task;
	int group_fd = leader == c ? -1 : leader->fds[place];
	pid_t pid = counts_tasks(c, rq) ? rq->tasks->items[task].tid : -1;
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;

	if (c->cgroup_fd >= 0) {
		pid = c->cgroup_fd;
		flags |= PERF_FLAG_PID_CGROUP;
	}
	/* The leader's task ended: its members have nowhere to go. */
	if (leader != c && group_fd < 0)
		return -ESRCH;

	int fd = perf_event_open(&c->event->attr, pid, c->cpus[cpu], group_fd, flags);

	if (fd < 0)
		return fd;
	c->fds[place] = fd;
	return 0;
}

/* Opens @c at all its places. A task that is gone is passed over; *@ret_gone counts those. */
static int open_counter(struct counter *c, const struct counter *leader,
			const struct counters_request *rq, size_t *ret_gone)
{
	*ret_gone = 0;
	for (size_t cpu = 0; cpu < c->n_cpus; cpu++) {
		for (size_t task = 0; task < c->n_tasks; task++) {
			int r = open_place(c, leader, cpu, task, rq);

			if (r == -ESRCH && counts_tasks(c, rq))
				(*ret_gone)++;
			else if (r < 0)
				return r;
		}
	}
	return 0;
}

/* The text was checked when it was parsed; what the kernel refuses then is too much for it. */
static int set_filter(struct counter *c, struct diag *diag)
{
	const char *filter = c->event->filter;

	for (size_t i = 0; filter && i < n_places(c); i++)
		if (c->fds[i] >= 0 && ioctl(c->fds[i], PERF_EVENT_IOC_SET_FILTER, filter) < 0)
			return diag_set(diag, -errno, "%s: the kernel refuses the filter '%s': %s",
					c->event->name, filter, strerror(errno));
	return 0;
}

/* What is allowed on ourselves was refused because the task is somebody else's. */
static int explain(const struct counter *c, const struct counters_request *rq, int error,
		   struct diag *diag)
{
	const struct event *e = c->event;
	_cleanup_(closep) int fd = -1;

	if (counts_tasks(c, rq) && (error == -EACCES || error == -EPERM))
		fd = perf_event_open(&e->attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return perf_event_explain(&e->attr, e->name, error, diag);
	diag_set(diag, error, "%s: not allowed on a process of another user", e->name);
	diag_hint(diag, "Run as that user, or as root.");
	return error;
}

/* Opens @c, giving in where the kernel does not take all that was asked of it. */
static int open_with_fallbacks(struct counter *c, const struct counter *leader,
			       const struct counters_request *rq, struct diag *diag)
{
	size_t gone;

	for (;;) {
		int r = open_counter(c, leader, rq, &gone);

		if (r >= 0 && gone == n_places(c) && gone)
			return diag_set(diag, -ESRCH, "the tasks to be counted are gone");
		if (r >= 0)
			return set_filter(c, diag);
		close_counter(c);
		if (r == -EMFILE && perf_event_raise_file_limit() == 0)
			continue;
		if (fallback_attr(c->event, r))
			continue;
		if (!fallback_is_unsupported(r))
			return explain(c, rq, r, diag);
		c->state = COUNTER_UNSUPPORTED;
		c->error = r;
		return 0;
	}
}

/* The events of one group stand together in the list: where those of @i end. */
static size_t group_end(const struct counters *cs, size_t i)
{
	size_t end = i + 1;

	while (end < cs->n && cs->items[end].event->leader == cs->items[i].event->leader)
		end++;
	return end;
}

static bool is_group(const struct counters *cs, size_t i)
{
	if (cs->items[i].leader != i)
		return true;
	for (size_t j = i + 1; j < group_end(cs, i); j++)
		if (cs->items[j].leader == i && cs->items[j].state != COUNTER_ABSENT)
			return true;
	return false;
}

static int open_one(struct counters *cs, size_t i, const struct counters_request *rq,
		    struct diag *diag);

/*
 * A weak group (:W) that does not fit the counters is counted one by one: those before @i, which
 * are open, are opened again; those after it come later.
 */
static int break_group(struct counters *cs, size_t i, const struct counters_request *rq,
		       struct diag *diag)
{
	size_t leader = cs->items[i].leader;
	int r = 0;

	for (size_t j = leader; j < group_end(cs, leader); j++) {
		struct counter *c = &cs->items[j];

		if (c->leader != leader || c->state == COUNTER_ABSENT)
			continue;
		close_counter(c);
		c->leader = j;
		c->state = COUNTER_OPEN;
		c->error = 0;
	}
	for (size_t j = leader; j <= i && r >= 0; j++)
		r = open_one(cs, j, rq, diag);
	return r;
}

static bool is_weak(const struct counters *cs, size_t i)
{
	const struct counter *c = &cs->items[i];

	return c->leader != i && cs->items[c->leader].event->modifiers.weak_group;
}

static int open_one(struct counters *cs, size_t i, const struct counters_request *rq,
		    struct diag *diag)
{
	struct counter *c = &cs->items[i];
	struct counter *leader = &cs->items[c->leader];
	int r;

	if (c->state == COUNTER_ABSENT)
		return 0;
	if (leader->state != COUNTER_OPEN && is_weak(cs, i))
		return break_group(cs, i, rq, diag);
	/* Nothing can be counted together with what cannot be counted. */
	if (leader->state != COUNTER_OPEN && leader != c) {
		c->state = COUNTER_UNSUPPORTED;
		c->error = leader->error;
		return 0;
	}
	prepare_attr(&c->event->attr, rq, leader == c, is_group(cs, i), counts_tasks(c, rq));

	const struct attr wanted = c->event->attr;

	r = open_with_fallbacks(c, leader, rq, diag);
	if (r < 0 || c->error != -EINVAL || !is_weak(cs, i))
		return r;
	/* It was the group that did not fit: what was given up for -EINVAL was not to blame. */
	c->event->attr.exclude_guest = wanted.exclude_guest;
	c->event->attr.exclude_host = wanted.exclude_host;
	return break_group(cs, i, rq, diag);
}

/* The first of the group that is an event of the kernel: perf's own cannot lead. */
static size_t leader_of(const struct event_list *l, size_t i)
{
	size_t leader = l->items[i]->leader;

	while (leader < i && (l->items[leader]->leader != l->items[i]->leader ||
			      l->items[leader]->tool != EVENT_TOOL_NONE))
		leader++;
	return leader;
}

static void make_counters(struct counters *cs, const struct counters_request *rq)
{
	const struct event_list *l = rq->events;

	for (size_t i = 0; i < l->n; i++) {
		struct counter *c = ARRAY_ADD(cs);

		c->event = l->items[i];
		c->state = c->event->tool != EVENT_TOOL_NONE ? COUNTER_ABSENT : COUNTER_OPEN;
		c->cgroup_fd = rq->cgroup_fds ? rq->cgroup_fds[i] : -1;
		c->leader = leader_of(l, i);
		take_places(c, rq);
		/* Events that count in different places cannot be one group. */
		if (!same_places(c, &cs->items[c->leader]))
			c->leader = i;
	}
}

int counters_open(const struct counters_request *rq, struct counters *ret, struct diag *diag)
{
	int r = 0;

	make_counters(ret, rq);
	for (size_t i = 0; i < ret->n && r >= 0; i++)
		r = open_one(ret, i, rq, diag);
	return r;
}

void counters_close(struct counters *cs)
{
	for (size_t i = 0; i < cs->n; i++) {
		close_counter(&cs->items[i]);
		free(cs->items[i].fds);
		free(cs->items[i].cpus);
		free(cs->items[i].counts);
	}
	free(cs->items);
	*cs = (struct counters){ 0 };
}

static int control_counter(struct counter *c, unsigned long request)
{
	int r = 0;

	for (size_t place = 0; place < n_places(c); place++)
		if (c->fds[place] >= 0 && ioctl(c->fds[place], request, 0) < 0 && r == 0)
			r = -errno;
	return r;
}

/* All leaders, or with @ours only those that the workload's exec does not start. */
static int control_leaders(struct counters *cs, unsigned long request, bool ours)
{
	int r = 0;

	for (size_t i = 0; i < cs->n; i++) {
		struct counter *c = &cs->items[i];

		if (c->leader == i && !(ours && c->event->attr.enable_on_exec) && r == 0)
			r = control_counter(c, request);
	}
	return r;
}

int counters_begin(struct counters *cs)
{
	return control_leaders(cs, PERF_EVENT_IOC_ENABLE, true);
}

int counters_end(struct counters *cs)
{
	return control_leaders(cs, PERF_EVENT_IOC_DISABLE, true);
}

int counters_enable(struct counters *cs)
{
	return control_leaders(cs, PERF_EVENT_IOC_ENABLE, false);
}

int counters_disable(struct counters *cs)
{
	return control_leaders(cs, PERF_EVENT_IOC_DISABLE, false);
}

int counters_switch(struct counters *cs, const char *name, bool on)
{
	int r = -ENOENT;

	for (size_t i = 0; i < cs->n; i++)
		if (!strcmp(cs->items[i].event->name, name))
			r = control_counter(&cs->items[i],
					    on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE);
	return r;
}

static bool is_read_with(const struct counters *cs, size_t leader, size_t j, size_t place)
{
	return cs->items[j].leader == leader && cs->items[j].fds[place] >= 0;
}

/* One read for the leader and its members at one place: a task may have ended between their opens.
 */
static int read_group(struct counters *cs, size_t i, size_t place)
{
	const struct counter *leader = &cs->items[i];
	uint64_t format = leader->event->attr.read_format;
	size_t n = 0, end = group_end(cs, i);

	for (size_t j = i; j < end; j++)
		n += is_read_with(cs, i, j, place);

	size_t size = count_read_size(format, n);
	_cleanup_(freep) char *bytes = xmalloc(size);
	_cleanup_(freep) struct count *counts = xcalloc(n, sizeof(*counts));
	ssize_t got = read(leader->fds[place], bytes, size);
	int r = got < 0 ? -errno : 0;

	/* Nothing to read: it is pinned, and the counters were taken. Then nothing was counted. */
	if (got > 0)
		r = count_decode(bytes, (size_t)got, format, counts, n);
	for (size_t j = i, k = 0; j < end && r >= 0; j++)
		if (is_read_with(cs, i, j, place))
			cs->items[j].counts[place] = counts[k++];
	return r;
}

int counters_read(struct counters *cs)
{
	int r = 0;

	for (size_t i = 0; i < cs->n && r >= 0; i++) {
		struct counter *c = &cs->items[i];

		for (size_t place = 0; c->leader == i && place < n_places(c) && r >= 0; place++)
			if (c->fds[place] >= 0)
				r = read_group(cs, i, place);
	}
	return r;
}
