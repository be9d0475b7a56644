/* SPDX-License-Identifier: MIT */
/*
 * Histograms that the kernel counts: with a BPF program, or with an event with a filter for each
 * row.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "bpf/hist.h"
#include "capture/counters.h"
#include "capture/loop.h"
#include "capture/opened-events.h"
#include "capture/signals.h"
#include "capture/workload.h"
#include "event/env.h"
#include "event/event.h"
#include "kernel/cgroup.h"
#include "kernel/explain.h"
#include "kernel/function-probe.h"
#include "measure/event-words.h"
#include "pairs/hist-filters.h"
#include "pairs/hist-job.h"
#include "pairs/hist-pairs.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"

#define NEEDS_SAMPLES 1

struct hist_counting {
	struct hist_job *job;
	struct event_env *env;
	struct event_list events; /* the events that are counted: one, or those of the pairs */
	struct field_ref field;
	struct bpf_hist_pairs pairs;
	struct event function[2];  /* the function of the pairs: its entry and its return */
	struct diag pairs_refused; /* why BPF cannot count the pairs, or empty */
	struct cgroup cgroup;      /* fd -1: none */
	bool system;               /* CPUs are counted, not tasks */
	struct task_list tasks;
	struct cpu_list cpus;
	struct signals signals;
	struct workload workload;
	/* One of these two counts: */
	struct bpf_hist *bpf;
	struct event_list row_events;
	struct opened_events counters;
	size_t *rows; /* one for each of row_events: its row */
	struct loop loop;
	uint64_t before_ns; /* the end of the last interval */
};

static void hist_count_move(struct diag *to, struct diag *from)
{
	diag_done(to);
	*to = *from;
	*from = (struct diag){ 0 };
}

static bool hist_count_is_field(const struct hist_counting *c)
{
	return c->job->rq->event != NULL;
}

static int hist_count_find_field(struct hist_counting *c, struct diag *diag)
{
	const struct hist_request *rq = c->job->rq;
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	const struct event *e = c->events.items[0];
	int r;

	if (c->events.n > 1)
		return diag_set(diag, -EINVAL, "'%s' names %zu events: choose one", rq->event,
				c->events.n);
	if (!e->tracepoint) {
		diag_set(diag, -EINVAL, "%s is not a tracepoint: it has no fields", e->name);
		diag_hint(diag, "'perf list tracepoint' shows those that have.");
		return -EINVAL;
	}
	r = hist_read_format(c->env, e->system, e->tracepoint, &format, diag);
	if (r < 0)
		return r;
	c->field = tracepoint_field_bind(format, rq->field, false);
	return c->field.kind == FIELD_NUMBER ? 0
					     : hist_refuse_field(e->name, format, rq->field, diag);
}

/* Finds the pairs. If the program cannot match them, that is not a failure, because samples can. */
static int find_pairs(struct hist_counting *c, struct diag *diag)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	int r = hist_pair_rules(hist_pair_spec(c->job->rq), &c->events, c->env, &c->pairs, &why);

	hist_count_move(r == -EOPNOTSUPP ? &c->pairs_refused : diag, &why);
	return r == -EOPNOTSUPP ? 0 : r;
}

/* Finds the function. A call is a pair of the thread's: from the function's entry to its return. */
static int hist_count_find_function(struct hist_counting *c, struct diag *diag)
{
	const char *function = c->job->rq->function;
	int r = 0;

	c->pairs = (struct bpf_hist_pairs){ .n_rules = 2, .n_events = 2, .n_keys = 1 };
	for (uint32_t i = 0; i < 2 && r >= 0; i++) {
		c->pairs.rules[i] = (struct hist_rule){ .event = i,
							.role = i ? HIST_END : HIST_BEGIN,
							.keys = { { .kind = HIST_KEY_TID } } };
		c->function[i].name = (char *)function;
		c->pairs.events[i] = &c->function[i];
		r = function_probe_attr(NULL, function, i, &c->function[i].attr, diag);
	}
	return r;
}

static int hist_count_find_events(struct hist_counting *c, struct diag *diag)
{
	const struct hist_request *rq = c->job->rq;
	struct event_words words = { 0 };
	_cleanup_(freep) size_t *before = NULL;
	int r;

	if (rq->function)
		return hist_count_find_function(c, diag);
	if (hist_count_is_field(c)) {
		event_words_add(&words, EVENT_WORD_EVENT, rq->event);
		if (rq->filter)
			event_words_add(&words, EVENT_WORD_FILTER, rq->filter);
	} else {
		hist_pair_words(hist_pair_spec(rq), rq->filter, &words);
	}
	before = xcalloc(words.n + 1, sizeof(*before));
	r = event_words_resolve(&words, c->env, EVENT_USE_COUNTING, &c->events, before, diag);
	event_words_done(&words);
	if (r < 0)
		return r;
	return hist_count_is_field(c) ? hist_count_find_field(c, diag) : find_pairs(c, diag);
}

static int hist_count_find_targets(struct hist_counting *c, struct diag *diag)
{
	const struct hist_request *rq = c->job->rq;
	int r = target_tasks(&rq->target, &c->tasks, diag);

	c->system = target_is_system(&rq->target, hist_job_has_command(c->job));
	if (r >= 0)
		r = target_cpus(&rq->target, &c->cpus, diag);
	if (r >= 0 && rq->cgroup)
		r = cgroup_open(NULL, rq->cgroup, &c->cgroup, diag);
	if (r >= 0) {
		r = signals_open(&c->signals);
		if (r < 0)
			diag_set(diag, r, "cannot wait for signals: %s", strerror(-r));
	}
	return r;
}

/* Forks the command; its process, which waits, becomes the task. */
static int hist_count_fork_command(struct hist_counting *c, struct diag *diag)
{
	int r;

	if (!hist_job_has_command(c->job))
		return 0;
	r = workload_fork(c->job->rq->argv, &c->signals, &c->workload);
	if (r < 0)
		return diag_set(diag, r, "cannot start a process: %s", strerror(-r));
	if (!c->system && !c->tasks.n)
		*ARRAY_ADD(&c->tasks) = (struct target_task){ .tid = c->workload.pid };
	return 0;
}

/* True if the only task is the command, which has not yet called exec. */
static bool hist_count_waits_for_exec(const struct hist_counting *c)
{
	return c->workload.pid && c->tasks.n == 1 && c->tasks.items[0].tid == c->workload.pid;
}

static int begin_bpf(struct hist_counting *c, struct diag *diag)
{
	const struct hist_request *rq = c->job->rq;
	_cleanup_(freep) pid_t *tids = xcalloc(c->tasks.n + 1, sizeof(*tids));
	struct bpf_hist_request request = {
		.env = c->env,
		.targets = { .tids = c->tasks.n ? tids : NULL,
			     .n_tids = c->tasks.n,
			     .wait_for_exec = hist_count_waits_for_exec(c),
			     .cpus = rq->target.cpus.n ? &c->cpus : NULL,
			     .cgroup_fd = c->cgroup.fd },
		.bounds = c->job->all.bounds,
		.n_bounds = c->job->all.n_bounds,
		.event = hist_count_is_field(c) ? c->events.items[0] : NULL,
		.field = c->field,
		.pairs = &c->pairs,
		.is_function = rq->function,
		.sums_up = rq->sums,
	};

	if (rq->bpf == CHOICE_NO)
		return diag_set(diag, -EOPNOTSUPP, "--no-bpf was given");
	if (rq->filter)
		return diag_set(diag, -EOPNOTSUPP, "the kernel looks at --filter after BPF");
	if (c->pairs_refused.message)
		return diag_set(diag, -EOPNOTSUPP, "%s", c->pairs_refused.message);
	for (size_t i = 0; i < c->tasks.n; i++)
		tids[i] = c->tasks.items[i].tid;
	return bpf_hist_begin(&request, &c->bpf, diag);
}

/*
 * True if @e counts times. The statistics of the scheduler pass a time to the kernel as their count
 * (__perf_count() of include/trace/events/sched.h): counting them gives nanoseconds and not how
 * often they happened.
 */
static bool counts_times(const struct event *e)
{
	return !strcmp(e->system, "sched") && !strncmp(e->tracepoint, "sched_stat_", 11);
}

static int hist_count_add_row(struct hist_counting *c, size_t row, struct diag *diag)
{
	const struct hist_request *rq = c->job->rq;
	_cleanup_(freep) char *condition = hist_row_condition(&c->job->all, row, rq->field,
							      &c->field);
	size_t n = c->row_events.n;
	int r;

	if (!condition)
		return 0;
	r = event_list_parse(&c->row_events, rq->event, c->env, EVENT_USE_COUNTING, diag);
	if (r < 0)
		return r;
	c->rows[n] = row;
	if (*condition || rq->filter)
		c->row_events.items[n]->filter = hist_join_filters(rq->filter, condition);
	return 0;
}

/* Refuses events that the kernel cannot count, because they would be missing silently. */
static int check_counters(const struct hist_counting *c, struct diag *diag)
{
	for (size_t i = 0; i < c->counters.n; i++) {
		const struct opened_event *e = &c->counters.items[i];

		if (e->state != OPENED)
			return perf_event_explain(&e->event->attr, e->event->name, e->error, diag);
	}
	return 0;
}

static int begin_filters(struct hist_counting *c, struct diag *diag)
{
	size_t n = histogram_rows(&c->job->all);
	_cleanup_(freep) int *cgroups = xcalloc(n, sizeof(*cgroups));
	struct open_request request = {
		.events = &c->row_events,
		.use = EVENT_USE_COUNTING,
		.tasks = &c->tasks,
		.cpus = &c->cpus,
		.cgroup_fds = c->cgroup.fd >= 0 ? cgroups : NULL,
		.any_cpu = true,
		.inherit = true,
		.enable_on_exec = hist_count_waits_for_exec(c),
	};
	int r = 0;

	c->rows = xcalloc(n, sizeof(*c->rows));
	for (size_t i = 0; i < n && r >= 0; i++) {
		cgroups[i] = c->cgroup.fd;
		r = hist_count_add_row(c, i, diag);
	}
	if (r >= 0)
		r = opened_events_open(&request, &c->counters, diag);
	return r < 0 ? r : check_counters(c, diag);
}

/* Notes why BPF is not used: always if the kernel refused it, otherwise only as a detail. */
static void note_way(const struct hist_counting *c, int bpf_error, const struct diag *why)
{
	struct notes *notes = c->job->notes;
	bool refused = bpf_error < 0 && bpf_error != -EOPNOTSUPP;

	if (!bpf_error && c->job->rq->verbose)
		notes_add(notes, NOTE_DETAIL, "Counted by a BPF program.");
	else if (bpf_error && (refused || c->job->rq->verbose))
		notes_add(notes, refused ? NOTE_REMARK : NOTE_DETAIL,
			  "Counted by %zu events with filters: %s.", c->row_events.n, why->message);
}

/*
 * Starts counting in the best available way. Returns NEEDS_SAMPLES, with the reason, if there is
 * none.
 */
static int begin_counting(struct hist_counting *c, struct diag *diag)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	bool filters_can = hist_count_is_field(c) && !counts_times(c->events.items[0]);
	int bpf = begin_bpf(c, &why), r = 0;

	if (bpf < 0 && (!filters_can || c->job->rq->bpf == CHOICE_YES)) {
		hist_count_move(diag, &why);
		return c->job->rq->bpf == CHOICE_YES ? bpf : NEEDS_SAMPLES;
	}
	if (bpf < 0)
		r = begin_filters(c, diag);
	if (r >= 0)
		note_way(c, bpf, &why);
	return r;
}

static int read_counters(struct hist_counting *c)
{
	struct hist_job *j = c->job;
	int r = counters_read(&c->counters);

	if (r < 0)
		return diag_set(j->diag, r, "cannot read a counter: %s", strerror(-r));
	memset(j->all.counts, 0, histogram_rows(&j->all) * sizeof(*j->all.counts));
	for (size_t i = 0; i < c->counters.n; i++) {
		const struct opened_event *e = &c->counters.items[i];

		for (size_t place = 0; place < opened_event_places(e); place++)
			j->all.counts[c->rows[i]] += e->counts[place].value;
	}
	return 0;
}

static int hist_count_on_interval(void *arg, uint64_t time_ns)
{
	struct hist_counting *c = arg;
	int r = c->bpf ? bpf_hist_read(c->bpf, c->job->all.counts, c->job->diag) : read_counters(c);

	if (r < 0)
		return r;
	c->before_ns = time_ns;
	hist_job_tell(c->job, time_ns);
	return 0;
}

static int hist_count_run_loop(struct hist_counting *c)
{
	static const struct loop_handler handler = { .on_interval = hist_count_on_interval };
	const struct hist_request *rq = c->job->rq;
	int r;

	c->loop = (struct loop){
		.events = &c->counters,
		.workload = &c->workload,
		.signals = &c->signals,
		.tasks = c->system || hist_job_has_command(c->job) ? NULL : &c->tasks,
		.waits_for_workload = true,
		.interval_ms = rq->interval_ms,
		.timeout_ms = rq->timeout_ms,
		.handler = &handler,
		.arg = c,
		.notes = c->job->notes,
	};
	hist_job_begin(c->job);
	r = loop_run(&c->loop, c->job->diag);
	if (r < 0 && hist_job_has_command(c->job) && !c->workload.pid)
		workload_explain(rq->argv[0], r, c->job->diag);
	return r;
}

static void hist_count_note_lost(const struct hist_counting *c, uint64_t n, const char *what)
{
	if (n)
		notes_add(c->job->notes, NOTE_WARNING, "%llu %s", (unsigned long long)n, what);
}

static void hist_count_note_losses(struct hist_counting *c)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	struct bpf_hist_losses lost;

	if (!c->bpf || bpf_hist_losses(c->bpf, &lost, &why) < 0)
		return;
	hist_count_note_lost(c, lost.tasks,
			     "tasks are not counted: more ran at once than can be followed");
	hist_count_note_lost(c, lost.begins,
			     "pairs are not counted: more were open at once than fit");
	hist_count_note_lost(c, lost.events,
			     "events are not counted: they came while BPF programs ran");
}

static int hist_count_run(struct hist_counting *c)
{
	int r = hist_count_find_events(c, c->job->diag);

	if (r >= 0)
		r = hist_count_find_targets(c, c->job->diag);
	if (r >= 0)
		r = hist_count_fork_command(c, c->job->diag);
	if (r >= 0)
		r = begin_counting(c, c->job->diag);
	if (r != 0)
		return r;
	r = hist_count_run_loop(c);
	/* The counts since the last full interval are reported too. */
	if (r >= 0 && (!c->job->rq->interval_ms || c->loop.elapsed_ns > c->before_ns))
		r = hist_count_on_interval(c, c->loop.elapsed_ns);
	if (r >= 0 && c->bpf && c->job->rq->sums)
		r = bpf_hist_sums(c->bpf, c->job->rq->sums, c->job->diag);
	if (r >= 0)
		hist_count_note_losses(c);
	return r;
}

static void hist_count_release(struct hist_counting *c)
{
	bpf_hist_free(c->bpf);
	opened_events_close(&c->counters);
	event_list_done(&c->row_events);
	free(c->rows);
	workload_done(&c->workload);
	signals_close(&c->signals);
	cgroup_done(&c->cgroup);
	cpu_list_done(&c->cpus);
	task_list_done(&c->tasks);
	event_list_done(&c->events);
	diag_done(&c->pairs_refused);
	event_env_free(c->env);
}

int hist_count(struct hist_job *j, struct record_result *ret)
{
	struct hist_counting c = {
		.job = j,
		.env = event_env_new(NULL, NULL),
		.cgroup = { .fd = -1 },
		.signals = SIGNALS_NONE,
		.workload = WORKLOAD_NONE,
	};
	int r = hist_count_run(&c);

	*ret = (struct record_result){
		.planned = true,
		.end = c.loop.end,
		.signal = c.loop.signal,
		.reaped = c.loop.reaped,
		.wait_status = c.loop.wait_status,
	};
	hist_count_release(&c);
	return r;
}
