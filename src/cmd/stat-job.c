/* SPDX-License-Identifier: MIT */
#include "cmd/stat-job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/control.h"
#include "capture/count-recorder.h"
#include "capture/release.h"
#include "capture/workload.h"
#include "cli/command.h"
#include "cmd/buildid-dir.h"
#include "cmd/stat-opts.h"
#include "cmd/stat-record.h"
#include "job/count-notes.h"
#include "kernel/pmu.h"
#include "kernel/topology.h"
#include "count/stat-model.h"

static int find_tasks(struct stat_job *j)
{
	int r = target_tasks(&j->o->target, &j->tasks, j->diag);

	if (r >= 0 && j->o->aggregate.over == AGGREGATE_THREAD && !j->tasks.n)
		r = task_list_add_all(&j->tasks, j->diag);
	return r;
}

enum stat_aggregation stat_aggregation_of(enum aggregate over)
{
	static const enum stat_aggregation map[] = {
		[AGGREGATE_UNSAID] = STAT_GLOBAL, [AGGREGATE_ALL] = STAT_GLOBAL,
		[AGGREGATE_CPU] = STAT_CPU,       [AGGREGATE_SOCKET] = STAT_SOCKET,
		[AGGREGATE_DIE] = STAT_DIE,       [AGGREGATE_CLUSTER] = STAT_DIE,
		[AGGREGATE_CACHE] = STAT_CACHE,   [AGGREGATE_CORE] = STAT_CORE,
		[AGGREGATE_NODE] = STAT_NODE,     [AGGREGATE_THREAD] = STAT_THREAD,
	};

	return map[over];
}

enum stat_aggregation stat_job_aggregation(const struct stat_opts *o)
{
	if (o->topdown && o->aggregate.over == AGGREGATE_UNSAID)
		return STAT_CORE;
	return stat_aggregation_of(o->aggregate.over);
}

static const char *cgroup_name(const struct stat_plan *p, size_t event)
{
	int i = p->cgroups.of[event];

	return i < 0 ? "" : p->cgroups.items[i].name;
}

static void make_model(struct stat_job *j)
{
	size_t n = j->counters.n;
	_cleanup_(freep) struct stat_source *sources = xcalloc(n + 1, sizeof(*sources));
	_cleanup_(freep) struct stat_task *tasks = xcalloc(j->tasks.n + 1, sizeof(*tasks));
	struct stat_model_options o = {
		.aggregation = stat_job_aggregation(j->o),
		.cache_level = j->o->aggregate.cache_level,
		.topology = &j->topology,
		.tasks = tasks,
		.n_tasks = j->tasks.n,
		.scale = j->o->scale != CHOICE_NO,
		.merge = !j->o->no_merge,
		.merge_cores = j->o->hybrid_merge,
		.all_threads = !j->o->target.pids.n && !j->o->target.tids.n,
		.per_core_threads = j->o->percore_show_thread,
	};

	for (size_t i = 0; i < j->tasks.n; i++)
		tasks[i] = (struct stat_task){ j->tasks.items[i].tid, j->tasks.items[i].comm };
	for (size_t i = 0; i < n; i++) {
		const struct counter *c = &j->counters.items[i];

		sources[i] = (struct stat_source){
			.event = c->event,
			.cgroup = cgroup_name(&j->plan, i),
			.supported = c->state != COUNTER_UNSUPPORTED,
			.pmu = c->event->pmu ? c->event->pmu->name : NULL,
			.core = c->event->pmu && c->event->pmu->core,
			.cpus = c->cpus,
			.n_cpus = c->n_cpus,
			.n_tasks = c->n_tasks,
		};
	}
	j->model = stat_model_new(sources, n, &o);
	for (size_t i = 0; i < j->plan.metrics.n; i++) {
		const struct stat_metric_use *use = &j->plan.metrics.items[i];

		stat_model_add_metric(j->model, use->metric, use->expr, use->first, use->n);
	}
}

static uint64_t tool_ns(const struct stat_job *j, enum event_tool tool, uint64_t elapsed_ns)
{
	const struct rusage *u = &j->loop.usage;

	switch (tool) {
	case EVENT_TOOL_USER_TIME:
		return (uint64_t)u->ru_utime.tv_sec * 1000000000 +
		       (uint64_t)u->ru_utime.tv_usec * 1000;
	case EVENT_TOOL_SYSTEM_TIME:
		return (uint64_t)u->ru_stime.tv_sec * 1000000000 +
		       (uint64_t)u->ru_stime.tv_usec * 1000;
	default:
		return elapsed_ns;
	}
}

static int record_round(struct stat_job *j, uint64_t elapsed_ns)
{
	for (size_t i = 0; i < j->counters.n; i++) {
		const struct counter *c = &j->counters.items[i];

		if (c->state == COUNTER_ABSENT)
			count_recorder_add_tool(j->recorder, i,
						tool_ns(j, c->event->tool, elapsed_ns));
		else if (c->state == COUNTER_OPEN)
			count_recorder_add(j->recorder, i, c);
	}
	return count_recorder_end_round(j->recorder, !j->o->interval_ms, elapsed_ns, j->diag);
}

/* Reads the counters and hands their counts to the model, and to the file of `stat record`. */
static int feed_model(struct stat_job *j, uint64_t elapsed_ns)
{
	int r = counters_read(&j->counters);

	if (r < 0)
		return diag_set(j->diag, r, "cannot read a counter: %s", strerror(-r));
	for (size_t i = 0; i < j->counters.n; i++) {
		const struct counter *c = &j->counters.items[i];

		if (c->state == COUNTER_ABSENT)
			stat_model_count_tool(j->model, i, tool_ns(j, c->event->tool, elapsed_ns));
		else if (c->state == COUNTER_OPEN)
			stat_model_count(j->model, i, c->counts);
	}
	if (j->recorder)
		r = record_round(j, elapsed_ns);
	if (r >= 0 && j->o->verbosity.verbose)
		count_notes_raw(&j->counters, &j->notes);
	return r;
}

static int on_interval(void *arg, uint64_t time_ns)
{
	struct stat_job *j = arg;
	int r = feed_model(j, time_ns);

	if (r < 0)
		return r;
	stat_model_end_interval(j->model, time_ns, (double)(time_ns - j->before_ns) / 1e9);
	j->before_ns = time_ns;
	if (j->on_interval)
		j->on_interval(j->arg);
	return 0;
}

static void on_switch(void *arg, bool enabled)
{
	struct stat_job *j = arg;

	if (!j->o->verbosity.quiet)
		fprintf(j->inv->err, "Events %s\n", enabled ? "enabled" : "disabled");
}

/* --control evlist: the names, a line each. */
static void on_list(void *arg, const char *options)
{
	struct stat_job *j = arg;

	(void)options;
	for (size_t i = 0; i < j->counters.n; i++)
		fprintf(j->inv->err, "%s\n", j->counters.items[i].event->name);
}

static void on_remark(void *arg, const char *sentence)
{
	struct stat_job *j = arg;

	notes_add(&j->notes, NOTE_WARNING, "%s", sentence);
}

static int64_t delay_of(const struct stat_opts *o)
{
	const struct delay *d = &o->control.delay;

	return d->disabled ? -1 : d->n ? (int64_t)d->items[0].from_ms : 0;
}

static int open_counters(struct stat_job *j, const struct task_list *tasks, bool command)
{
	_cleanup_(freep) int *fds = xcalloc(j->plan.events.n + 1, sizeof(*fds));
	struct counters_request rq = {
		.events = &j->plan.events,
		.tasks = tasks,
		.cpus = &j->cpu_list,
		.cgroup_fds = j->plan.cgroups.n ? fds : NULL,
		.inherit = j->o->no_inherit != CHOICE_YES,
		.enable_on_exec = command && delay_of(j->o) == 0,
	};

	for (size_t i = 0; i < j->plan.events.n; i++)
		fds[i] = cgroup_choice_fd(&j->plan.cgroups, i);
	return counters_open(&rq, &j->counters, j->diag);
}

/* Runs a shell command, which gets the signals that we hold back. */
static bool run_shell(struct stat_job *j, const char *command)
{
	char *const argv[] = { "/bin/sh", "-c", (char *)command, NULL };
	struct workload w = WORKLOAD_NONE;
	struct rusage usage;
	int status = -1;

	if (workload_fork(argv, &j->signals, &w) >= 0 && workload_start(&w) >= 0)
		workload_reap(&w, true, &status, &usage);
	workload_done(&w);
	return status == 0;
}

/* --pre and --post are shell commands around each run. */
static int run_before(struct stat_job *j)
{
	if (!j->o->pre || run_shell(j, j->o->pre))
		return 0;
	return diag_set(j->diag, -ECANCELED, "--pre '%s' failed, so nothing is counted", j->o->pre);
}

/* What was counted stays true, whatever comes after it. */
static void run_after(struct stat_job *j)
{
	if (j->o->post && !run_shell(j, j->o->post))
		notes_add(&j->notes, NOTE_WARNING, "--post '%s' failed", j->o->post);
}

static int count_once(struct stat_job *j, struct workload *w)
{
	struct task_list child = { 0 };
	int r = 0;

	if (stat_job_has_command(j)) {
		r = workload_fork(j->argv, &j->signals, w);
		if (r < 0)
			return diag_set(j->diag, r, "cannot start a process: %s", strerror(-r));
	}
	if (stat_job_has_command(j) && !j->cpus && !j->tasks.n)
		*ARRAY_ADD(&child) = (struct target_task){ .tid = w->pid };
	r = open_counters(j, child.n ? &child : &j->tasks, child.n > 0);
	if (r >= 0 && j->recorder)
		r = stat_record_begin(j, child.n ? &child : &j->tasks);
	task_list_done(&child);
	if (r < 0)
		return r;
	if (j->o->verbosity.verbose)
		count_notes_refused(&j->counters, &j->notes);
	if (!j->model)
		make_model(j);
	j->before_ns = 0;
	j->loop = (struct count_loop){
		.counters = &j->counters,
		.workload = w,
		.tasks = stat_job_has_command(j) || j->cpus ? NULL : &j->tasks,
		.interval_ms = j->o->interval_ms,
		.interval_count = j->o->interval_count,
		.timeout_ms = j->o->timeout_ms,
		.delay_ms = delay_of(j->o),
		.control = j->control,
		.signals = &j->signals,
		.on_interval = on_interval,
		.on_switch = on_switch,
		.on_list = on_list,
		.on_remark = on_remark,
		.arg = j,
	};
	r = count_loop_run(&j->loop, j->diag);
	if (r < 0 && stat_job_has_command(j) && !w->pid)
		workload_explain(j->argv[0], r, j->diag);
	return r;
}

static int end_run(struct stat_job *j)
{
	uint64_t elapsed_ns = j->loop.elapsed_ns;
	bool rest = j->o->interval_ms && j->loop.end != COUNT_END_INTERVALS &&
		    elapsed_ns > j->before_ns;
	int r = 0;

	/* What was counted since the last full interval is shown too. */
	if (rest)
		r = on_interval(j, elapsed_ns);
	else if (!j->o->interval_ms)
		r = feed_model(j, elapsed_ns);
	if (r >= 0)
		stat_model_end_run(j->model, (double)elapsed_ns / 1e9);
	return r;
}

int stat_job_run(struct stat_job *j)
{
	struct workload w = WORKLOAD_NONE;
	int r;

	release_counters(&j->counters);
	r = run_before(j);
	if (r < 0)
		return r;
	if (j->o->sync)
		sync();
	r = count_once(j, &w);
	if (r >= 0)
		r = end_run(j);
	workload_done(&w);
	if (r >= 0)
		run_after(j);
	return r;
}

bool stat_job_is_over(const struct stat_job *j)
{
	return j->loop.signal || j->loop.end == COUNT_END_INTERVALS;
}

static int hold_signals(struct stat_job *j)
{
	int r = signals_open(&j->signals);

	return r < 0 ? diag_set(j->diag, r, "cannot wait for signals: %s", strerror(-r)) : 0;
}

static int make_plan(struct stat_job *j)
{
	_cleanup_(freep) char *dir = command_buildid_dir(j->inv);
	/* From the first probe on that is to be removed again. */
	int r = event_words_may_attach(&j->o->events) ? hold_signals(j) : 0;

	if (r >= 0)
		r = stat_plan_make(&j->plan, j->o, j->cpus, dir, j->diag);
	return r;
}

static void print_note(void *arg, const struct note *note)
{
	command_note(arg, note);
}

int stat_job_prepare(struct stat_job *j)
{
	int r = make_plan(j);

	if (r < 0)
		return r;
	j->notes = (struct notes){ .listener = print_note, .arg = j->inv };
	j->planned = true;
	r = find_tasks(j);
	if (r >= 0)
		r = target_cpus(&j->o->target, &j->cpu_list, j->diag);
	if (r >= 0 && stat_job_aggregation(j->o) != STAT_GLOBAL)
		r = topology_read(SYSTEM_DEVICES, &j->topology, j->diag);
	if (r >= 0)
		r = control_request_open(&j->o->control, &j->control, j->diag);
	return r >= 0 && j->signals.fd < 0 ? hold_signals(j) : r;
}

void stat_job_reset(struct stat_job *j)
{
	stat_model_free(j->model);
	j->model = NULL;
}

double stat_seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

bool stat_job_has_command(const struct stat_job *j)
{
	return j->argv[0];
}

void stat_job_done(struct stat_job *j)
{
	release_counters(&j->counters);
	control_free(j->control);
	stat_model_free(j->model);
	topology_done(&j->topology);
	task_list_done(&j->tasks);
	cpu_list_done(&j->cpu_list);
	stat_plan_done(&j->plan);
	signals_close(&j->signals);
}
