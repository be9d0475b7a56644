/* SPDX-License-Identifier: MIT */
#include "measure/count.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/number.h"
#include "capture/control.h"
#include "capture/count-recorder.h"
#include "capture/counters.h"
#include "capture/release.h"
#include "capture/workload.h"
#include "count/stat-model.h"
#include "kernel/machine-fact.h"
#include "kernel/pmu.h"
#include "kernel/topology.h"
#include "measure/count-bpf.h"
#include "measure/count-drm.h"
#include "measure/count-file.h"
#include "measure/count-notes.h"

/*
 * The number of slow closes that are waited for: a count of one tracepoint is not worth a process.
 */
#define SLOW_MAX 1

static int find_tasks(struct count_job *j)
{
	int r = target_tasks(&j->rq->target, &j->tasks, j->diag);

	if (r >= 0 && j->rq->aggregate.over == STAT_THREAD && !j->tasks.n)
		r = task_list_add_all(&j->tasks, j->diag);
	return r;
}

enum stat_aggregation count_job_aggregation(const struct count_job *j)
{
	return j->rq->topdown && !j->rq->aggregate.given ? STAT_CORE : j->rq->aggregate.over;
}

static const char *cgroup_name(const struct count_plan *p, size_t event)
{
	int i = p->cgroups.of[event];

	return i < 0 ? "" : p->cgroups.items[i].name;
}

static void count_make_model(struct count_job *j)
{
	size_t n = j->counters.n;
	_cleanup_(freep) struct stat_source *sources = xcalloc(n + 1, sizeof(*sources));
	_cleanup_(freep) struct stat_task *tasks = xcalloc(j->tasks.n + 1, sizeof(*tasks));
	struct stat_model_options o = {
		.aggregation = count_job_aggregation(j),
		.cache_level = j->rq->aggregate.cache_level,
		.topology = &j->topology,
		.tasks = tasks,
		.n_tasks = j->tasks.n,
		.scale = j->rq->scale != CHOICE_NO,
		.merge = !j->rq->no_merge,
		.merge_cores = j->rq->hybrid_merge,
		.all_threads = !j->rq->target.pids.n && !j->rq->target.tids.n,
		.per_core_threads = j->rq->percore_show_thread,
	};

	for (size_t i = 0; i < j->tasks.n; i++)
		tasks[i] = (struct stat_task){ j->tasks.items[i].tid, j->tasks.items[i].comm };
	for (size_t i = 0; i < n; i++) {
		const struct opened_event *c = &j->counters.items[i];

		sources[i] = (struct stat_source){
			.event = c->event,
			.cgroup = cgroup_name(&j->plan, i),
			.supported = c->state != OPENED_UNSUPPORTED,
			.pmu = c->event->pmu ? c->event->pmu->name : NULL,
			.core = c->event->pmu && c->event->pmu->core,
			.cpus = c->cpus,
			.n_cpus = c->n_cpus,
			.n_tasks = c->n_tasks,
		};
	}
	j->model = stat_model_new(sources, n, &o);
	for (size_t i = 0; i < j->plan.metrics.n; i++) {
		const struct count_metric *use = &j->plan.metrics.items[i];

		stat_model_add_metric(j->model, use->metric, use->expr, use->first, use->n);
	}
}

static uint64_t count_ns_of(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

static bool count_read_file(const char *path, uint64_t *ret)
{
	_cleanup_(freep) char *line = NULL;
	int64_t value;

	if (file_read_line(AT_FDCWD, path, &line) < 0 || number_parse_signed(line, &value) < 0)
		return false;
	*ret = (uint64_t)value;
	return true;
}

/* True if all threads of a core are counted together. */
static bool is_core_wide(const struct count_job *j)
{
	uint64_t smt = 0;

	(void)machine_fact_read("", MACHINE_SMT_ON, &smt);
	return !smt || (j->cpus && !j->rq->target.cpus.n);
}

/* Gives the value of perf's own measurement. False: it cannot be read. */
static bool tool_value(const struct count_job *j, const struct event *e, uint64_t elapsed_ns,
		       uint64_t *ret)
{
	const struct rusage *u = &j->loop.usage;

	switch (e->tool) {
	case EVENT_TOOL_DURATION_TIME:
		*ret = elapsed_ns;
		return true;
	case EVENT_TOOL_USER_TIME:
		*ret = count_ns_of(u->ru_utime);
		return true;
	case EVENT_TOOL_SYSTEM_TIME:
		*ret = count_ns_of(u->ru_stime);
		return true;
	case EVENT_TOOL_CORE_WIDE:
		*ret = is_core_wide(j);
		return true;
	case EVENT_TOOL_TARGET_CPU:
		*ret = j->cpus;
		return true;
	case EVENT_TOOL_FILE:
		return count_read_file(e->file, ret);
	case EVENT_TOOL_DRM:
		return count_drm_value(j, e, ret);
	default:
		return machine_fact_read("", machine_fact_find(event_tool_name(e->tool)), ret) >= 0;
	}
}

static int record_round(struct count_job *j, uint64_t elapsed_ns)
{
	uint64_t value;

	for (size_t i = 0; i < j->counters.n; i++) {
		const struct opened_event *c = &j->counters.items[i];

		if (c->state == OPENED_TOOL) {
			if (tool_value(j, c->event, elapsed_ns, &value))
				count_recorder_add_tool(j->recorder, i, value);
		} else if (c->state == OPENED) {
			count_recorder_add(j->recorder, c);
		}
	}
	return count_recorder_end_round(j->recorder, !j->rq->interval_ms, elapsed_ns, j->diag);
}

/* Reads the counters and passes their counts to the model, and to the file of `stat record`. */
static int count_feed_model(struct count_job *j, uint64_t elapsed_ns)
{
	int r = counters_read(&j->counters);
	uint64_t value;

	if (r < 0)
		return diag_set(j->diag, r, "cannot read a counter: %s", strerror(-r));
	count_drm_read(j);
	for (size_t i = 0; i < j->counters.n; i++) {
		const struct opened_event *c = &j->counters.items[i];

		if (c->state == OPENED_TOOL && c->event->tool == EVENT_TOOL_DRM) {
			count_drm_feed(j, i);
		} else if (c->state == OPENED_TOOL) {
			if (tool_value(j, c->event, elapsed_ns, &value))
				stat_model_count_tool(j->model, i, value);
		} else if (c->state == OPENED || c->state == OPENED_OUTSIDE) {
			stat_model_count(j->model, i, c->counts);
		}
	}
	if (j->recorder)
		r = record_round(j, elapsed_ns);
	if (r >= 0 && j->on_open)
		count_notes_places(&j->counters, j->notes);
	if (r >= 0 && j->rq->verbose)
		count_notes_raw(&j->counters, j->notes);
	return r;
}

static void count_show_table(struct count_job *j)
{
	struct stat_table table;

	if (!j->on_table)
		return;
	count_job_table(j, &table);
	j->on_table(j->arg, &table);
}

static int count_on_interval(void *arg, uint64_t time_ns)
{
	struct count_job *j = arg;
	int r = count_feed_model(j, time_ns);

	if (r < 0)
		return r;
	stat_model_end_interval(j->model, time_ns, (double)(time_ns - j->before_ns) / 1e9);
	j->before_ns = time_ns;
	count_show_table(j);
	return 0;
}

/* Answers --control evlist with the names. */
static void count_on_list(void *arg, const char *options)
{
	struct count_job *j = arg;

	(void)options;
	for (size_t i = 0; i < j->counters.n; i++)
		notes_add(j->notes, NOTE_DETAIL, "%s", j->counters.items[i].event->name);
}

bool count_job_is_delayed(const struct count_job *j)
{
	const struct delay *d = &j->rq->control.delay;

	return d->disabled || (d->n && d->items[0].from_ms);
}

static int count_open_with(struct count_job *j, const struct task_list *tasks, bool command,
			   const bool *outside)
{
	_cleanup_(freep) int *fds = xcalloc(j->plan.events.n + 1, sizeof(*fds));
	struct open_request rq = {
		.events = &j->plan.events,
		.use = EVENT_USE_COUNTING,
		.tasks = tasks,
		.cpus = &j->cpu_list,
		.cgroup_fds = j->plan.cgroups.n ? fds : NULL,
		.outside = outside,
		.any_cpu = true,
		.inherit = j->rq->no_inherit != CHOICE_YES,
		.enable_on_exec = command && !count_job_is_delayed(j),
	};
	int r;

	for (size_t i = 0; i < j->plan.events.n; i++)
		fds[i] = cgroup_choice_fd(&j->plan.cgroups, i);
	r = opened_events_open(&rq, &j->counters, j->diag);
	return r < 0 ? r : bpf_events_attach(j->plan.programs, &j->counters, j->diag);
}

/*
 * Opens the counters. If BPF cannot count, the kernel counts in the ordinary way, except for the
 * runs of BPF programs.
 */
static int measure_count_open_counters(struct count_job *j, const struct task_list *tasks,
				       bool command)
{
	_cleanup_(freep) bool *outside = count_bpf_choose(j);
	int r = count_open_with(j, tasks, command, outside);

	if (r < 0 || !outside)
		return r;
	r = count_bpf_open(j, tasks, command);
	if (r >= 0 || j->rq->bpf.programs.n)
		return r;
	j->without_bpf = true;
	notes_add(j->notes, NOTE_WARNING, "counted without BPF: %s", j->diag->message);
	diag_done(j->diag);
	*j->diag = (struct diag){ 0 };
	count_bpf_close(j, true);
	opened_events_close(&j->counters);
	return count_open_with(j, tasks, command, NULL);
}

/* Runs a shell command, which receives the signals that we block. */
static bool run_shell(struct count_job *j, const char *command)
{
	char *const argv[] = { "/bin/sh", "-c", (char *)command, NULL };
	struct workload w = WORKLOAD_NONE;
	struct rusage usage;
	int status = -1;

	if (workload_fork(argv, &j->signals, &w) >= 0 && workload_start(&w) >= 0)
		workload_wait(&w, &j->signals, &status, &usage);
	workload_done(&w);
	return status == 0;
}

/* Runs --pre and --post, the shell commands around each run. */
static int run_before(struct count_job *j)
{
	if (!j->rq->pre || run_shell(j, j->rq->pre))
		return 0;
	return diag_set(j->diag, -ECANCELED, "--pre '%s' failed, so nothing is counted",
			j->rq->pre);
}

/* Runs the command after a run. The counts stay valid, whatever its result is. */
static void run_after(struct count_job *j)
{
	if (j->rq->post && !run_shell(j, j->rq->post))
		notes_add(j->notes, NOTE_WARNING, "--post '%s' failed", j->rq->post);
}

static const struct loop_handler handler = {
	.on_interval = count_on_interval,
	.on_list = count_on_list,
};

static struct loop loop_for(struct count_job *j, struct workload *w)
{
	const struct count_request *rq = j->rq;
	const struct delay *d = &rq->control.delay;

	return (struct loop){
		.events = &j->counters,
		.workload = w,
		.signals = &j->signals,
		.control = j->control,
		.tasks = count_job_has_command(j) || j->cpus ? NULL : &j->tasks,
		.waits_for_workload = true,
		.watches_cpus = j->cpus && !rq->target.cpus.n,
		.held_back = count_job_is_delayed(j),
		.turns_ms = d->n ? &d->items[0].from_ms : NULL,
		.n_turns = count_job_is_delayed(j) && !d->disabled,
		.interval_ms = rq->interval_ms,
		.interval_count = rq->interval_count,
		.timeout_ms = rq->timeout_ms,
		.handler = &handler,
		.arg = j,
		.notes = j->notes,
	};
}

static int count_once(struct count_job *j, struct workload *w)
{
	struct task_list child = { 0 };
	int r = 0;

	if (count_job_has_command(j)) {
		r = workload_fork(j->argv, &j->signals, w);
		if (r < 0)
			return diag_set(j->diag, r, "cannot start a process: %s", strerror(-r));
	}
	if (count_job_has_command(j) && !j->cpus && !j->tasks.n)
		*ARRAY_ADD(&child) = (struct target_task){ .tid = w->pid };
	r = measure_count_open_counters(j, child.n ? &child : &j->tasks, child.n > 0);
	if (r >= 0 && j->on_open)
		j->on_open(j->arg, &j->counters, child.n ? &child : &j->tasks);
	if (r >= 0)
		count_drm_begin(j, child.n ? w->pid : 0);
	if (r >= 0 && j->recorder)
		r = count_file_begin(j, child.n ? &child : &j->tasks);
	task_list_done(&child);
	if (r < 0)
		return r;
	if (j->rq->verbose)
		count_notes_refused(&j->counters, j->notes);
	if (!j->model)
		count_make_model(j);
	j->before_ns = 0;
	j->loop = loop_for(j, w);
	r = loop_run(&j->loop, j->diag);
	if (r < 0 && count_job_has_command(j) && !w->pid)
		workload_explain(j->argv[0], r, j->diag);
	return r;
}

static int count_end_run(struct count_job *j)
{
	uint64_t elapsed_ns = j->loop.elapsed_ns;
	bool rest = j->rq->interval_ms && j->loop.end != LOOP_END_INTERVALS &&
		    elapsed_ns > j->before_ns;
	int r = 0;

	/* The counts since the last full interval are shown, too. */
	if (rest)
		r = count_on_interval(j, elapsed_ns);
	else if (!j->rq->interval_ms)
		r = count_feed_model(j, elapsed_ns);
	if (r >= 0)
		stat_model_end_run(j->model, (double)elapsed_ns / 1e9);
	return r;
}

int count_job_run_once(struct count_job *j)
{
	struct workload w = WORKLOAD_NONE;
	int r;

	release_events(&j->counters, SLOW_MAX);
	count_bpf_close(j, false);
	r = run_before(j);
	if (r < 0)
		return r;
	if (j->rq->sync)
		sync();
	r = count_once(j, &w);
	if (r >= 0)
		r = count_end_run(j);
	workload_done(&w);
	count_bpf_tell(j);
	if (r >= 0)
		run_after(j);
	return r;
}

/* True if the last run ended in a way after which no other shall follow. */
static bool count_is_over(const struct count_job *j)
{
	return j->loop.signal || j->loop.end == LOOP_END_INTERVALS;
}

static int run_for_ever(struct count_job *j)
{
	int r = 0;

	while (r >= 0 && !count_is_over(j)) {
		r = count_job_run_once(j);
		if (r >= 0)
			count_show_table(j);
		count_job_reset(j);
	}
	return r;
}

int count_job_run(struct count_job *j)
{
	const struct count_request *rq = j->rq;
	uint64_t runs = rq->repeat.runs ? rq->repeat.runs : 1;
	int r = rq->record ? count_file_open(rq->record, &j->recorder, j->diag) : 0;

	if (r >= 0 && rq->repeat.for_ever)
		return run_for_ever(j);
	for (uint64_t i = 0; i < runs && r >= 0 && !count_is_over(j); i++) {
		if (rq->verbose && runs > 1)
			notes_add(j->notes, NOTE_DETAIL, "[ perf stat: executing run #%d ... ]",
				  (int)i + 1);
		r = count_job_run_once(j);
	}
	return r;
}

int count_job_finish(struct count_job *j)
{
	return j->recorder ? count_recorder_finish(j->recorder, j->diag) : 0;
}

static int count_hold_signals(struct count_job *j)
{
	int r = signals_open(&j->signals);

	return r < 0 ? diag_set(j->diag, r, "cannot wait for signals: %s", strerror(-r)) : 0;
}

static int count_make_plan(struct count_job *j)
{
	/* Signals are blocked from the first probe that has to be removed again. */
	int r = event_words_may_attach(&j->rq->events) ? count_hold_signals(j) : 0;

	if (r >= 0)
		r = count_plan_make(&j->plan, j->rq, j->cpus, j->notes, j->diag);
	return r;
}

void count_job_init(struct count_job *j, const struct count_request *rq, struct notes *notes,
		    struct diag *diag)
{
	*j = (struct count_job){
		.rq = rq,
		.notes = notes,
		.diag = diag,
		.argv = rq->argv,
		.signals = SIGNALS_NONE,
	};
	j->cpus = target_is_system(&rq->target, count_job_has_command(j));
}

int count_job_prepare(struct count_job *j)
{
	int r = count_make_plan(j);

	if (r < 0)
		return r;
	j->planned = true;
	r = find_tasks(j);
	if (r >= 0)
		r = target_cpus(&j->rq->target, &j->cpu_list, j->diag);
	if (r >= 0)
		target_note_cpus(&j->rq->target, &j->cpu_list, j->notes);
	if (r >= 0 && count_job_aggregation(j) != STAT_GLOBAL)
		r = topology_read(SYSTEM_DEVICES, &j->topology, j->diag);
	if (r >= 0)
		r = control_request_open(&j->rq->control, &j->control, j->diag);
	if (r >= 0 && j->signals.fd < 0)
		r = count_hold_signals(j);
	/* Done once signals are blocked: none of them can leave the setting behind. */
	return r >= 0 && j->rq->smi_cost ? smi_freeze_begin("", &j->smi_freeze, j->diag) : r;
}

/* Rejects an event that cannot be counted at all: there is no table that could show it. */
static int refuse_unsupported(struct count_job *j)
{
	for (size_t i = 0; i < j->counters.n; i++)
		if (j->counters.items[i].state != OPENED_UNSUPPORTED)
			return 0;
	return diag_set(j->diag, -EOPNOTSUPP, "this machine cannot count '%s' for the whole system",
			j->counters.n ? j->counters.items[0].event->name : "nothing");
}

int count_job_begin(struct count_job *j)
{
	int r = count_plan_make(&j->plan, j->rq, j->cpus, j->notes, j->diag);

	if (r >= 0)
		r = target_cpus(&j->rq->target, &j->cpu_list, j->diag);
	if (r >= 0)
		r = measure_count_open_counters(j, &j->tasks, false);
	if (r >= 0)
		r = refuse_unsupported(j);
	if (r < 0)
		return r;
	count_drm_begin(j, 0);
	count_make_model(j);
	j->begin_ns = clock_ns(CLOCK_MONOTONIC);
	r = opened_events_begin(&j->counters);
	return r < 0 ? diag_set(j->diag, r, "cannot start counting: %s", strerror(-r)) : 0;
}

int count_job_look(struct count_job *j, struct stat_table *ret)
{
	int r = count_on_interval(j, clock_ns(CLOCK_MONOTONIC) - j->begin_ns);

	if (r >= 0)
		count_job_table(j, ret);
	return r;
}

void count_job_reset(struct count_job *j)
{
	stat_model_free(j->model);
	j->model = NULL;
}

double count_job_user_s(const struct count_job *j)
{
	return (double)count_ns_of(j->loop.usage.ru_utime) / 1e9;
}

double count_job_system_s(const struct count_job *j)
{
	return (double)count_ns_of(j->loop.usage.ru_stime) / 1e9;
}

void count_job_table(const struct count_job *j, struct stat_table *ret)
{
	stat_model_table(j->model, ret);
	ret->has_rusage = count_job_has_command(j) && !j->cpus && !j->tasks.n && ret->runs == 1;
	ret->user_s = count_job_user_s(j);
	ret->system_s = count_job_system_s(j);
}

void count_job_notes(const struct count_job *j, struct notes *notes)
{
	count_notes(&j->counters, j->cpus && count_job_has_command(j), "", notes);
}

bool count_job_has_command(const struct count_job *j)
{
	return j->argv && j->argv[0];
}

void count_job_done(struct count_job *j)
{
	release_events(&j->counters, SLOW_MAX);
	count_bpf_close(j, true);
	count_drm_end(j);
	count_recorder_free(j->recorder);
	control_free(j->control);
	stat_model_free(j->model);
	topology_done(&j->topology);
	task_list_done(&j->tasks);
	cpu_list_done(&j->cpu_list);
	count_plan_done(&j->plan);
	smi_freeze_end("", &j->smi_freeze);
	signals_close(&j->signals);
}
