/* SPDX-License-Identifier: MIT */
#include "capture/record-events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/fallback.h"
#include "capture/sampling-regs.h"
#include "capture/sampling.h"
#include "event/event.h"
#include "kernel/explain.h"
#include "kernel/perf-event.h"
#include "kernel/pmu.h"
#include "wire/attr.h"

/* nr, enabled, running, and value, id, lost of each; groups beyond that do not fit the counters. */
#define READ_WORDS_MAX (3 + 3 * 128)

static size_t n_places(const struct record_event *e)
{
	return e->n_cpus * e->n_tasks;
}

/* An uncore PMU counts for the whole machine, on the CPUs that its cpumask names, for no task. */
static bool is_uncore(const struct event *e)
{
	return e->pmu && e->pmu->has_cpus && !e->pmu->core;
}

static bool is_of_tasks(const struct record_event *e, const struct record_request *rq)
{
	return rq->tasks->n && !is_uncore(e->event);
}

static void take_places(struct record_event *e, const struct record_request *rq)
{
	const struct pmu *pmu = e->event->pmu;
	const struct cpu_list *limit = pmu && pmu->has_cpus ? &pmu->cpus : NULL;

	e->n_tasks = is_of_tasks(e, rq) ? rq->tasks->n : 1;
	e->cpus = xcalloc(rq->cpus->n + 1, sizeof(e->cpus[0]));
	if (rq->per_thread && is_of_tasks(e, rq))
		e->cpus[e->n_cpus++] = -1;
	else
		for (size_t i = 0; i < rq->cpus->n; i++)
			if (!limit || cpu_list_contains(limit, rq->cpus->items[i]))
				e->cpus[e->n_cpus++] = (int)rq->cpus->items[i];
	e->fds = xcalloc(n_places(e) + 1, sizeof(e->fds[0]));
	e->ids = xcalloc(n_places(e) + 1, sizeof(e->ids[0]));
	for (size_t i = 0; i < n_places(e); i++)
		e->fds[i] = -1;
}

static void close_event(struct record_event *e)
{
	for (size_t i = 0; i < n_places(e); i++) {
		closep(&e->fds[i]);
		e->fds[i] = -1;
	}
}

/* The descriptor of @leader on @cpu for the task, or -1: it may have other CPUs than its member. */
static int leader_fd(const struct record_event *leader, int cpu, size_t task)
{
	for (size_t i = 0; i < leader->n_cpus; i++)
		if (leader->cpus[i] == cpu && task < leader->n_tasks)
			return leader->fds[i * leader->n_tasks + task];
	return -1;
}

static int open_place(struct record_event *e, const struct record_event *leader, size_t cpu,
		      size_t task, const struct record_request *rq)
{
	int group_fd = leader == e ? -1 : leader_fd(leader, e->cpus[cpu], task);
	pid_t pid = is_of_tasks(e, rq) ? rq->tasks->items[task].tid : -1;
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;

	if (e->cgroup_fd >= 0) {
		pid = e->cgroup_fd;
		flags |= PERF_FLAG_PID_CGROUP;
	}
	/* The leader's task ended: its members have nowhere to go. */
	if (leader != e && group_fd < 0)
		return -ESRCH;

	int fd = perf_event_open(&e->event->attr, pid, e->cpus[cpu], group_fd, flags);

	if (fd < 0)
		return fd;
	e->fds[cpu * e->n_tasks + task] = fd;
	return 0;
}

/* At all its places. Tasks that are gone are passed over; -ESRCH: all are. */
static int open_places(struct record_event *e, const struct record_event *leader,
		       const struct record_request *rq)
{
	size_t gone = 0;

	for (size_t cpu = 0; cpu < e->n_cpus; cpu++) {
		for (size_t task = 0; task < e->n_tasks; task++) {
			int r = open_place(e, leader, cpu, task, rq);

			if (r == -ESRCH && is_of_tasks(e, rq))
				gone++;
			else if (r < 0)
				return r;
		}
	}
	return gone && gone == n_places(e) ? -ESRCH : 0;
}

static bool drop_bits(uint64_t *word, uint64_t bits, uint64_t instead)
{
	if (!(*word & bits))
		return false;
	*word = (*word & ~bits) | instead;
	return true;
}

/* What came with which kernel, the newest first; each drops it and tells whether it was there. */
static bool drop_lost(struct attr *a)
{
	return drop_bits(&a->read_format, PERF_FORMAT_LOST, 0); /* 6.0 */
}

static bool drop_weight_struct(struct attr *a)
{
	return drop_bits(&a->sample_type, PERF_SAMPLE_WEIGHT_STRUCT, PERF_SAMPLE_WEIGHT); /* 5.12 */
}

static bool drop_branch_index(struct attr *a)
{
	return drop_bits(&a->branch_sample_type, PERF_SAMPLE_BRANCH_HW_INDEX, 0); /* 5.7 */
}

static bool drop_kernel_symbols(struct attr *a)
{
	bool had = a->ksymbol || a->bpf_event; /* 5.1 */

	a->ksymbol = 0;
	a->bpf_event = 0;
	return had;
}

/* The length of vector registers, which only some aarch64 CPUs have; 5.19. */
static bool drop_vector_length(struct attr *a)
{
	bool in_user = drop_bits(&a->sample_regs_user, SAMPLING_REG_VG, 0);

	return drop_bits(&a->sample_regs_intr, SAMPLING_REG_VG, 0) || in_user;
}

static bool (*const newer[])(struct attr *) = {
	drop_lost, drop_vector_length, drop_weight_struct, drop_branch_index, drop_kernel_symbols,
};

/* Drops the newest thing of @a that was not dropped yet; its bit is set in *@lacks. */
static bool drop_newest(struct attr *a, unsigned *lacks)
{
	for (size_t i = 0; i < ARRAY_SIZE(newer); i++) {
		if (*lacks & 1U << i)
			continue;
		*lacks |= 1U << i;
		if (newer[i](a))
			return true;
	}
	return false;
}

static bool is_cycles(const struct attr *a)
{
	return a->type == PERF_TYPE_HARDWARE && (uint32_t)a->config == PERF_COUNT_HW_CPU_CYCLES;
}

/* EOPNOTSUPP: counters without interrupts, or such that cannot leave out what the event does. */
static bool means_no_such_event(const struct attr *a, int error)
{
	return error == -ENOENT || error == -ENXIO || error == -ENODEV ||
	       (error == -EOPNOTSUPP && !a->exclude_idle);
}

/* Where there are no counters, time takes the place of cycles. */
static bool take_clock(struct event *e, const struct attr *wanted, int error)
{
	if (!is_cycles(&e->attr) || !means_no_such_event(&e->attr, error) ||
	    e->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
		return false;
	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	e->attr.precise_ip = wanted->precise_ip;
	sampling_name(e);
	return true;
}

/* Asks for less than what was refused with @error. false: there is nothing left to give in. */
static bool give_in(struct record_events *es, struct event *e, const struct attr *wanted, int error,
		    unsigned *lacks)
{
	bool denied = error == -EACCES || error == -EPERM;

	if (error == -EMFILE)
		return perf_event_raise_file_limit() == 0;
	if (denied && fallback_attr(e, error)) {
		es->without_kernel = true;
		return true;
	}
	if (!denied && e->modifiers.max_precise && e->attr.precise_ip) {
		e->attr.precise_ip--;
		return true;
	}
	if (take_clock(e, wanted, error)) {
		es->without_pmu = true;
		return true;
	}
	if ((error == -EINVAL || error == -E2BIG) && drop_newest(&e->attr, lacks))
		return true;
	/* Software events have no extended registers, whatever the CPU has. */
	if (error == -EOPNOTSUPP && drop_vector_length(&e->attr))
		return true;
	return fallback_attr(e, error);
}

/* What is allowed on ourselves was refused because the task is somebody else's. */
static int explain(const struct record_event *re, const struct record_request *rq, int error,
		   struct diag *diag)
{
	const struct event *e = re->event;
	_cleanup_(closep) int fd = -1;

	if (error == -ESRCH)
		return diag_set(diag, error, "the tasks to be recorded are gone");
	if (is_of_tasks(re, rq) && (error == -EACCES || error == -EPERM))
		fd = perf_event_open(&e->attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return perf_event_explain(&e->attr, e->name, error, diag);
	diag_set(diag, error, "%s: not allowed on a process of another user", e->name);
	diag_hint(diag, "Run as that user, or as root.");
	return error;
}

static int open_event(struct record_events *es, struct record_event *e,
		      const struct record_event *leader, const struct record_request *rq,
		      struct diag *diag)
{
	const struct attr wanted = e->event->attr;
	unsigned lacks = es->lacks;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(newer); i++)
		if (es->lacks & 1U << i)
			newer[i](&e->event->attr);
	for (;;) {
		r = open_places(e, leader, rq);
		if (r >= 0)
			break;
		close_event(e);
		if (give_in(es, e->event, &wanted, r, &lacks))
			continue;
		/* None of what was dropped for it was the reason; but rights are about what is
		 * left. */
		if (r != -EACCES && r != -EPERM)
			e->event->attr = wanted;
		return explain(e, rq, r, diag);
	}
	es->lacks = lacks;
	return 0;
}

static bool is_weak(const struct record_events *es, size_t i)
{
	size_t leader = es->items[i].event->leader;

	return leader != i && es->items[leader].event->modifiers.weak_group;
}

/* A weak group (:W) that does not fit the counters is recorded one by one. */
static int break_group(struct record_events *es, size_t i, const struct record_request *rq,
		       struct diag *diag)
{
	size_t leader = es->items[i].event->leader;
	const struct attr *first = &es->items[leader].event->attr;
	int r = 0;

	for (size_t j = leader + 1; j < es->n; j++) {
		struct event *e = es->items[j].event;

		if (e->leader != leader)
			continue;
		close_event(&es->items[j]);
		e->leader = j;
		e->attr.disabled = first->disabled;
		e->attr.enable_on_exec = first->enable_on_exec;
		if (j <= i && r >= 0)
			r = open_event(es, &es->items[j], &es->items[j], rq, diag);
	}
	return r;
}

static int open_one(struct record_events *es, size_t i, const struct record_request *rq,
		    struct diag *diag)
{
	struct record_event *e = &es->items[i];
	int r = open_event(es, e, &es->items[e->event->leader], rq, diag);

	if (r < 0 && is_weak(es, i))
		return break_group(es, i, rq, diag);
	return r;
}

/* The text was checked when it was parsed; what the kernel refuses then is too much for it. */
static int set_filter(const struct record_event *e, struct diag *diag)
{
	const char *filter = e->event->filter;

	for (size_t i = 0; filter && i < n_places(e); i++)
		if (e->fds[i] >= 0 && ioctl(e->fds[i], PERF_EVENT_IOC_SET_FILTER, filter) < 0)
			return diag_set(diag, -errno, "%s: the kernel refuses the filter '%s': %s",
					e->event->name, filter, strerror(errno));
	return 0;
}

static int find_ids(struct record_event *e, struct diag *diag)
{
	for (size_t i = 0; i < n_places(e); i++)
		if (e->fds[i] >= 0 && ioctl(e->fds[i], PERF_EVENT_IOC_ID, &e->ids[i]) < 0)
			return diag_set(diag, -errno, "%s: the kernel tells no id: %s",
					e->event->name, strerror(errno));
	return 0;
}

int record_events_open(const struct record_request *rq, struct record_events *ret,
		       struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < rq->events->n; i++) {
		struct record_event *e = ARRAY_ADD(ret);

		e->event = rq->events->items[i];
		e->cgroup_fd = rq->cgroup_fds ? rq->cgroup_fds[i] : -1;
		take_places(e, rq);
	}
	for (size_t i = 0; i < ret->n && r >= 0; i++)
		r = open_one(ret, i, rq, diag);
	for (size_t i = 0; i < ret->n && r >= 0; i++) {
		r = set_filter(&ret->items[i], diag);
		if (r >= 0)
			r = find_ids(&ret->items[i], diag);
	}
	return r;
}

void record_events_close(struct record_events *es)
{
	for (size_t i = 0; i < es->n; i++) {
		close_event(&es->items[i]);
		free(es->items[i].fds);
		free(es->items[i].ids);
		free(es->items[i].cpus);
	}
	free(es->items);
	*es = (struct record_events){ 0 };
}

static int control_event(const struct record_event *e, unsigned long request)
{
	int r = 0;

	for (size_t i = 0; i < n_places(e); i++)
		if (e->fds[i] >= 0 && ioctl(e->fds[i], request, 0) < 0 && r == 0)
			r = -errno;
	return r;
}

static int control_leaders(struct record_events *es, unsigned long request, bool ours)
{
	int r = 0;

	for (size_t i = 0; i < es->n && r >= 0; i++) {
		const struct event *e = es->items[i].event;

		if (e->leader == i && !(ours && (e->attr.enable_on_exec || !e->attr.disabled)))
			r = control_event(&es->items[i], request);
	}
	return r;
}

int record_events_begin(struct record_events *es)
{
	return control_leaders(es, PERF_EVENT_IOC_ENABLE, true);
}

int record_events_enable(struct record_events *es)
{
	return control_leaders(es, PERF_EVENT_IOC_ENABLE, false);
}

int record_events_disable(struct record_events *es)
{
	return control_leaders(es, PERF_EVENT_IOC_DISABLE, false);
}

int record_events_switch(struct record_events *es, const char *name, bool on)
{
	int r = -ENOENT;

	for (size_t i = 0; i < es->n; i++)
		if (!strcmp(es->items[i].event->name, name))
			r = control_event(&es->items[i],
					  on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE);
	return r;
}

void record_events_for_each(const struct record_events *es,
			    void (*each)(void *arg, const struct record_event *event, size_t place),
			    void *arg)
{
	for (size_t i = 0; i < es->n; i++)
		for (size_t place = 0; place < n_places(&es->items[i]); place++)
			if (es->items[i].fds[place] >= 0)
				each(arg, &es->items[i], place);
}

uint64_t record_event_lost(const struct record_event *e, size_t place)
{
	uint64_t format = e->event->attr.read_format, words[READ_WORDS_MAX];
	size_t at = !!(format & PERF_FORMAT_GROUP) + !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	ssize_t size;

	if (!(format & PERF_FORMAT_LOST) || !(format & PERF_FORMAT_ID))
		return 0;
	size = read(e->fds[place], words, sizeof(words));
	for (; size > 0 && (at + 3) * sizeof(words[0]) <= (size_t)size; at += 3)
		if (words[at + 1] == e->ids[place])
			return words[at + 2];
	return 0;
}
