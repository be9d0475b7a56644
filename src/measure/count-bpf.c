/* SPDX-License-Identifier: MIT */
#include "measure/count-bpf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "bpf/counters.h"
#include "bpf/module.h"
#include "bpf/shared-events.h"
#include "capture/fallback.h"
#include "kernel/explain.h"
#include "kernel/pmu.h"
#include "measure/count.h"

struct count_bpf {
	struct shared_events *shared;
	struct cpu_list cpus; /* all online CPUs, because other users count there, too */
	struct {
		struct bpf_counters **items; /* one; for --bpf-prog one for each program */
		size_t n, room;
	} counters;
	struct {
		struct attr *items; /* attrs that differ from each other */
		size_t n, room;
	} attrs;
	struct {
		int *items; /* descriptor of the array for each attr */
		size_t n, room;
	} arrays;
	size_t *attr_of; /* for each event of the job */
	const struct count_job *job;
	struct count *each_cpu;
};

/* True if @name is in the list of names @list. */
static bool count_is_listed(const char *list, const char *name)
{
	size_t length = strlen(name), n;

	for (const char *at = list ? list : ""; *at; at += n + (at[n] != '\0')) {
		n = strcspn(at, ", ");
		if (n == length && !strncmp(at, name, n))
			return true;
	}
	return false;
}

/*
 * True if BPF shall count the event. An uncore PMU counts for no particular task or CPU. In the
 * files of perf stat record, counts are identified by the ids of opened events, which BPF's
 * counters do not have.
 */
static bool count_is_wanted(const struct count_job *j, size_t i)
{
	const struct event *e = j->plan.events.items[i];
	bool limited = j->plan.cgroups.n && cgroup_choice_fd(&j->plan.cgroups, i) < 0;

	if (j->rq->record || e->tool != EVENT_TOOL_NONE ||
	    (e->pmu && e->pmu->has_cpus && !e->pmu->core) || limited)
		return false;
	return j->rq->bpf.counters || j->rq->bpf.programs.n || e->modifiers.bpf_counter ||
	       count_is_listed(j->rq->bpf.events, e->name);
}

/* Warns if the modifier b has no effect because counts are recorded. */
static void tell_recorded(const struct count_job *j)
{
	for (size_t i = 0; j->rq->record && i < j->plan.events.n; i++)
		if (j->plan.events.items[i]->modifiers.bpf_counter)
			notes_add(j->notes, NOTE_WARNING,
				  "%s is counted without BPF: a file has counts of events that "
				  "perf opens itself",
				  j->plan.events.items[i]->name);
}

bool *count_bpf_choose(const struct count_job *j)
{
	size_t n = j->plan.events.n, chosen = 0;
	bool *outside = xcalloc(n + 1, sizeof(*outside));

	tell_recorded(j);
	for (size_t i = 0; i < n && !j->without_bpf; i++)
		chosen += outside[i] = count_is_wanted(j, i);
	if (!chosen) {
		free(outside);
		return NULL;
	}
	return outside;
}

/* Opens counters that can be shared, or if that is not possible, our own. */
static int count_open_shared(struct count_job *j, struct count_bpf *b)
{
	const char *path = j->rq->bpf.attr_map ? j->rq->bpf.attr_map : SHARED_EVENTS_PATH;
	_cleanup_(diag_done) struct diag why = { 0 };
	int r;

	if (b->shared)
		return 0;
	r = shared_events_open(j->rq->bpf.programs.n ? NULL : path, &b->shared, &why);
	if (r >= 0)
		return 0;
	if (r == -EOPNOTSUPP)
		notes_take(j->notes, NOTE_WARNING, &why);
	return shared_events_open(NULL, &b->shared, j->diag);
}

static bool same_events(const struct attr *a, const struct attr *b)
{
	return a->type == b->type && a->config == b->config && a->config1 == b->config1 &&
	       a->config2 == b->config2 && a->exclude_user == b->exclude_user &&
	       a->exclude_kernel == b->exclude_kernel && a->exclude_hv == b->exclude_hv &&
	       a->exclude_idle == b->exclude_idle && a->exclude_host == b->exclude_host &&
	       a->exclude_guest == b->exclude_guest && a->pinned == b->pinned;
}

/*
 * Finds the counters of an event. Events that count the same, such as those of several cgroups,
 * have the same counters.
 */
static int find_array(struct count_bpf *b, const struct attr *attr, size_t *ret)
{
	int fd;

	for (size_t i = 0; i < b->attrs.n; i++)
		if (same_events(&b->attrs.items[i], attr)) {
			*ret = i;
			return b->arrays.items[i];
		}
	fd = shared_events_find(b->shared, attr, &b->cpus);
	*ret = b->attrs.n;
	*ARRAY_ADD(&b->attrs) = *attr;
	*ARRAY_ADD(&b->arrays) = fd;
	return fd;
}

/* Marks the events that cannot be counted. Returns the number of the others. */
static int count_find_arrays(struct count_job *j, struct count_bpf *b)
{
	int n = 0;

	for (size_t i = 0; i < j->counters.n; i++) {
		struct opened_event *e = &j->counters.items[i];
		int fd;

		if (e->state != OPENED_OUTSIDE)
			continue;
		fd = find_array(b, &e->event->attr, &b->attr_of[i]);
		if (fd < 0 && !fallback_is_unsupported(fd))
			return perf_event_explain(&e->event->attr, e->event->name, fd, j->diag);
		if (fd < 0) {
			e->state = OPENED_UNSUPPORTED;
			e->error = fd;
		}
		n += fd >= 0;
	}
	return n;
}

/* Closes gaps, because programs read all arrays in turn. */
static void close_gaps(struct count_bpf *b)
{
	size_t n = 0;
	_cleanup_(freep) size_t *now = xcalloc(b->attrs.n + 1, sizeof(*now));

	for (size_t i = 0; i < b->attrs.n; i++) {
		now[i] = n;
		b->arrays.items[n] = b->arrays.items[i];
		b->attrs.items[n] = b->attrs.items[i];
		n += b->arrays.items[i] >= 0;
	}
	for (size_t i = 0; i < b->job->counters.n; i++)
		b->attr_of[i] = now[b->attr_of[i]];
	b->arrays.n = b->attrs.n = n;
}

static int count_open_counters(struct count_bpf *b, const struct bpf_counters_request *rq,
			       struct diag *diag)
{
	struct bpf_counters *c = NULL;
	int r = bpf_counters_open(rq, &c, diag);

	if (r >= 0)
		*ARRAY_ADD(&b->counters) = c;
	return r;
}

/* Opens the counters for programs, tasks, cgroups, or everything that runs. */
static int count_open_for(struct count_job *j, struct count_bpf *b, const struct task_list *tasks,
			  bool command)
{
	_cleanup_(freep) uint64_t *groups = xcalloc(j->plan.cgroups.n + 1, sizeof(*groups));
	_cleanup_(freep) pid_t *tids = xcalloc(tasks->n + 1, sizeof(*tids));
	struct bpf_counters_request rq = {
		.arrays = b->arrays.items,
		.n_events = b->arrays.n,
		.cpus = &b->cpus,
		.inherit = j->rq->no_inherit != CHOICE_YES,
		.wait_for_exec = command && !count_job_is_delayed(j),
	};
	int r = 0;

	for (size_t i = 0; i < j->rq->bpf.programs.n && r >= 0; i++) {
		rq.program_id = (uint32_t)j->rq->bpf.programs.items[i];
		r = count_open_counters(b, &rq, j->diag);
	}
	if (j->rq->bpf.programs.n)
		return r;
	for (size_t i = 0; i < tasks->n; i++)
		tids[i] = tasks->items[i].tid;
	for (size_t i = 0; i < j->plan.cgroups.n; i++)
		groups[i] = j->plan.cgroups.items[i].id;
	rq.tids = tids;
	rq.n_tids = tasks->n;
	rq.cgroup_ids = groups;
	rq.n_cgroups = tasks->n ? 0 : j->plan.cgroups.n;
	return count_open_counters(b, &rq, j->diag);
}

static int count_enable(void *arg, bool on)
{
	struct count_bpf *b = arg;
	int r = 0;

	for (size_t i = 0; i < b->counters.n && r >= 0; i++)
		r = on ? bpf_counters_start(b->counters.items[i])
		       : bpf_counters_stop(b->counters.items[i]);
	return r;
}

static void count_add(struct count *sum, const struct count *more)
{
	sum->value += more->value;
	sum->enabled += more->enabled;
	sum->running += more->running;
}

/* Adds the counts of each CPU to those of the places of @e. */
static void count_add_places(struct opened_event *e, size_t task, const struct count *each_cpu,
			     int n_cpus)
{
	for (size_t i = 0; i < e->n_cpus; i++) {
		struct count *place = &e->counts[i * e->n_tasks + task];

		for (int cpu = 0; cpu < n_cpus; cpu++)
			if (e->cpus[i] < 0 || e->cpus[i] == cpu)
				count_add(place, &each_cpu[cpu]);
	}
}

static int read_event(struct count_bpf *b, struct opened_event *e, size_t i)
{
	int group = b->job->plan.cgroups.n ? b->job->plan.cgroups.of[i] : -1;
	int n_cpus = bpf_module_cpus(), r = 0;

	memset(e->counts, 0, opened_event_places(e) * sizeof(e->counts[0]));
	for (size_t c = 0; c < b->counters.n; c++)
		for (size_t task = 0; task < e->n_tasks && r >= 0; task++) {
			size_t slot = group >= 0 ? (size_t)group : task;

			r = bpf_counters_read(b->counters.items[c], slot, b->attr_of[i],
					      b->each_cpu);
			if (r >= 0)
				count_add_places(e, task, b->each_cpu, n_cpus);
		}
	return r;
}

static int count_read_all(void *arg, struct opened_events *es)
{
	struct count_bpf *b = arg;
	int r = 0;

	for (size_t i = 0; i < b->counters.n && r >= 0; i++)
		r = bpf_counters_flush(b->counters.items[i]);
	for (size_t i = 0; i < es->n && r >= 0; i++)
		if (es->items[i].state == OPENED_OUTSIDE)
			r = read_event(b, &es->items[i], i);
	return r;
}

static struct count_bpf *count_bpf_new(struct count_job *j)
{
	struct count_bpf *b = xcalloc(1, sizeof(*b));
	int n = bpf_module_cpus();

	b->job = j;
	b->attr_of = xcalloc(j->counters.n + 1, sizeof(*b->attr_of));
	b->each_cpu = xcalloc(n > 0 ? (size_t)n : 1, sizeof(*b->each_cpu));
	return b;
}

int count_bpf_open(struct count_job *j, const struct task_list *tasks, bool command)
{
	const struct target everybody = { 0 };
	struct count_bpf *b;
	int r;

	if (!bpf_is_built_in())
		return diag_set(j->diag, -EOPNOTSUPP, "this perf was built without BPF programs");
	if (!j->bpf)
		j->bpf = count_bpf_new(j);
	b = j->bpf;
	r = b->cpus.n ? 0 : target_cpus(&everybody, &b->cpus, j->diag);
	if (r >= 0)
		r = count_open_shared(j, b);
	if (r >= 0)
		r = count_find_arrays(j, b);
	if (r <= 0)
		return r;
	close_gaps(b);
	r = count_open_for(j, b, tasks, command);
	if (r >= 0)
		j->counters.outside = (struct outside_counter){ count_enable, count_read_all, b };
	return r;
}

void count_bpf_tell(const struct count_job *j)
{
	uint64_t tasks = 0, reads = 0;

	for (size_t i = 0; j->bpf && i < j->bpf->counters.n; i++) {
		if (bpf_counters_lost(j->bpf->counters.items[i], &tasks, &reads) < 0)
			continue;
		if (tasks)
			notes_add(j->notes, NOTE_WARNING,
				  "%" PRIu64 " tasks were not counted: there were too many", tasks);
		if (reads)
			notes_add(j->notes, NOTE_WARNING,
				  "%" PRIu64 " times a counter could not be read", reads);
	}
}

void count_bpf_close(struct count_job *j, bool all)
{
	struct count_bpf *b = j->bpf;

	if (!b)
		return;
	for (size_t i = 0; i < b->counters.n; i++)
		bpf_counters_free(b->counters.items[i]);
	b->counters.n = 0;
	if (!all)
		return;
	shared_events_free(b->shared);
	cpu_list_done(&b->cpus);
	free(b->counters.items);
	free(b->attrs.items);
	free(b->arrays.items);
	free(b->attr_of);
	free(b->each_cpu);
	free(b);
	j->bpf = NULL;
}
