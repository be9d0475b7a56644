/* SPDX-License-Identifier: MIT */
#include "tools/trace/trace-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/notes.h"
#include "tools/trace/filter-model.h"
#include "tools/trace/internal-work.h"
#include "tools/trace/samples-model.h"
#include "tracepoint/field.h"

#define STOP 1

void trace_request_done(struct trace_request *rq)
{
	trace_selection_done(&rq->selection);
	record_request_done(&rq->what);
	id_list_done(&rq->left_out);
}

/* Counts the shown events, and stops when the maximum is reached. */
static int trace_work_count(struct trace_job *j, int r)
{
	j->shown++;
	if (r)
		return r;
	return j->rq->max_events && j->shown >= j->rq->max_events ? STOP : 0;
}

static bool trace_has_id(const struct id_list *l, uint32_t id)
{
	for (size_t i = 0; i < l->n; i++)
		if ((uint32_t)l->items[i] == id)
			return true;
	return false;
}

/*
 * True if the task is wanted. For a recording, -p and -t choose among its tasks; live, they choose
 * the tasks for which events are opened.
 */
static bool trace_is_wanted(const struct trace_job *j, const struct trace_task *task)
{
	const struct target *t = &j->rq->what.target;

	return !j->rq->input || (!t->pids.n && !t->tids.n) || trace_has_id(&t->pids, task->pid) ||
	       trace_has_id(&t->tids, task->tid);
}

static int trace_work_show_call(void *arg, const struct trace_call *c)
{
	struct trace_job *j = arg;

	if (j->turned.is_off || !trace_is_wanted(j, c->task))
		return 0;
	return trace_work_count(j, j->rq->sink.call(j->rq->sink.arg, c));
}

/* True if the event has been shown as often as its nr= permits. */
static bool is_used_up(struct trace_job *j, const struct session_event *e)
{
	if (!j->left || e->index >= j->n_left || j->left[e->index] == UINT64_MAX)
		return false;
	return j->left[e->index] == 0 || !j->left[e->index]--;
}

/* True if every event with a limit has reached it, and nothing else is traced. */
static bool all_are_used_up(const struct trace_job *j)
{
	if (!j->left || j->rq->selection.takes_calls)
		return false;
	for (size_t i = 0; i < j->n_left; i++)
		if (j->left[i])
			return false;
	return true;
}

static void trace_accrue(const struct trace_job *j, const struct session_sample *s,
			 struct trace_task *task)
{
	const struct field_ref *f = &j->uses[s->event->index].runtime;
	uint64_t ns;

	if (task && f->kind == FIELD_NUMBER &&
	    field_ref_number(f, s->sample->raw, s->sample->raw_size, &ns))
		task->runtime_ns += ns;
}

static bool trace_shows(const struct trace_job *j, const struct session_event *e)
{
	bool turns = e == j->turned.on || e == j->turned.off;

	return j->rq->sink.sample &&
	       (j->uses[e->index].is_shown || (turns && j->rq->shows_switches));
}

static int trace_work_show_sample(void *arg, const struct session_sample *s,
				  struct trace_task *task)
{
	struct trace_job *j = arg;
	int r;

	trace_accrue(j, s, task);
	if (event_switch_leaves_out(&j->turned, s->event) || !trace_shows(j, s->event) ||
	    !trace_is_wanted(j, task) || is_used_up(j, s->event))
		return 0;
	r = trace_work_count(j, j->rq->sink.sample(j->rq->sink.arg, s, task));
	return r == 0 && all_are_used_up(j) ? STOP : r;
}

static int trace_work_show_lost(void *arg, uint64_t time_ns, uint64_t n)
{
	struct trace_job *j = arg;

	j->lost += n;
	return j->rq->sink.lost ? j->rq->sink.lost(j->rq->sink.arg, time_ns, n) : 0;
}

static bool wants_call(void *arg, const struct trace_call *c)
{
	const struct trace_job *j = arg;

	if (!trace_set_has(j->rq->selection.wanted, c->abi, c->nr))
		return false;
	for (size_t i = 0; i < j->rq->selection.filters.n; i++)
		if (trace_set_has(j->rq->selection.filters.items[i].wanted, c->abi, c->nr) &&
		    !trace_filter_passes(j->filters[i], j->rq->tasks, c))
			return false;
	return true;
}

/* Parses filters on arguments. A name that no call of any machine has is an error. */
static int parse_filters(struct trace_job *j)
{
	const struct trace_selection *s = &j->rq->selection;
	int r = 0;

	j->filters = xcalloc(s->filters.n + 1, sizeof(*j->filters));
	for (size_t i = 0; i < s->filters.n && r >= 0; i++) {
		struct trace_filter_scope scope = { 0 };

		for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++) {
			scope.has_abi[abi] = abi != SYSCALL_ABI_NONE;
			scope.wanted[abi] = s->filters.items[i].wanted[abi];
		}
		r = trace_filter_parse(s->filters.items[i].text, &scope, &j->filters[i], j->diag);
	}
	return r;
}

static void free_filters(struct trace_job *j)
{
	for (size_t i = 0; i < j->rq->selection.filters.n; i++)
		trace_filter_free(j->filters[i]);
	free(j->filters);
}

static bool shows_sample(void *arg, const struct session_sample *s)
{
	return trace_shows(arg, s->event);
}

static bool trace_work_is_fault(const struct session_event *e, unsigned faults)
{
	if (e->attr.type != PERF_TYPE_SOFTWARE)
		return false;
	switch (e->attr.config) {
	case PERF_COUNT_SW_PAGE_FAULTS:
		return faults != 0;
	case PERF_COUNT_SW_PAGE_FAULTS_MAJ:
		return faults & TRACE_FAULTS_MAJOR;
	case PERF_COUNT_SW_PAGE_FAULTS_MIN:
		return faults & TRACE_FAULTS_MINOR;
	default:
		return false;
	}
}

/* True if @text, an event's name, perhaps followed by terms or modifiers, names @e. */
static bool names_event(const char *text, const struct session_event *e)
{
	_cleanup_(freep) char *name = xstrndup(text, strcspn(text, "/"));

	return glob_matches(name, e->name) || !strcmp(text, e->name);
}

static bool is_runtime(const struct session_event *e)
{
	return e->tracepoint && !strcmp(e->system, "sched") &&
	       !strcmp(e->tracepoint, "sched_stat_runtime");
}

/* True if the event is recorded for calls and run times, and not because it was requested. */
static bool is_own(const struct session_event *e)
{
	return is_runtime(e) || (e->system && !strcmp(e->system, "raw_syscalls"));
}

/*
 * True if the event was requested. Programs are named by their file, so their events cannot be
 * recognized by name.
 */
static bool trace_is_asked_for(const struct trace_job *j, const struct session_event *e)
{
	const struct event_words *words = &j->rq->selection.events;
	bool chooses = j->rq->faults || j->rq->selection.names_calls || words->n;

	/* Page faults of a recording are also shown if nothing was chosen. */
	if (trace_work_is_fault(e, j->rq->input && !chooses ? ~0u : j->rq->faults))
		return true;
	for (size_t i = 0; i < words->n; i++)
		if (words->items[i].kind == EVENT_WORD_EVENT &&
		    names_event(words->items[i].text, e))
			return true;
	return j->has_programs && !is_own(e);
}

static void plan_uses(struct trace_job *j, const struct session *s)
{
	size_t n = session_event_count(s);

	free(j->uses);
	j->uses = xcalloc(n + 1, sizeof(*j->uses));
	for (size_t i = 0; i < n; i++) {
		const struct session_event *e = session_event(s, i);

		j->uses[i].is_shown = trace_is_asked_for(j, e);
		if (j->rq->accrues_runtime && is_runtime(e))
			j->uses[i].runtime = tracepoint_field_bind(e->format, "runtime",
								   session_is_swapped(s));
	}
}

static int trace_work_begin(void *arg, struct consumer *c)
{
	struct trace_job *j = arg;
	int r = event_switch_init(&j->turned, c->session, j->rq->switch_on, j->rq->switch_off,
				  j->diag);

	if (j->remark.message)
		notes_take(j->notes, NOTE_REMARK, &j->remark);
	plan_uses(j, c->session);
	j->turned.shows = j->rq->shows_switches;
	j->inner.session = c->session;
	if (j->rq->on_session)
		j->rq->on_session(j->rq->sink.arg, c->session);
	if (r >= 0 && j->inner.begin)
		r = j->inner.begin(j->inner.arg, &j->inner);
	return r;
}

static bool is_raw_call(const struct session_event *e)
{
	return e->system && !strcmp(e->system, "raw_syscalls");
}

/* Takes one sample among events of another source. */
static int trace_take_sample(struct trace_job *j, const struct session_sample *s)
{
	const struct sample_batch one = { .items = s, .n = 1 };
	int r = j->before_sample ? j->before_sample(j->before_arg, s->time) : 0;

	if (!j->before_sample || j->uses[s->event->index].is_shown)
		trace_job_start(j, s->time);
	if (!r && j->rq->on_raw && is_raw_call(s->event))
		j->rq->on_raw(j->rq->sink.arg, s);
	return r ? r : j->inner.samples(j->inner.arg, &one);
}

static int trace_take_samples(void *arg, const struct sample_batch *b)
{
	struct trace_job *j = arg;
	int r = 0;

	if (!j->before_sample && !j->rq->on_raw) {
		if (b->n)
			trace_job_start(j, b->items[0].time);
		return j->inner.samples(j->inner.arg, b);
	}
	for (size_t i = 0; i < b->n && !r; i++)
		r = trace_take_sample(j, &b->items[i]);
	return r;
}

static int trace_take_records(void *arg, const struct record_batch *b)
{
	struct trace_job *j = arg;

	return j->inner.records(j->inner.arg, b);
}

struct consumer trace_job_consumer(struct trace_job *j, bool takes_calls, bool takes_stacks)
{
	const struct trace_samples_options o = { .takes_calls = takes_calls,
						 .takes_tasks = takes_calls || j->rq->input,
						 .takes_stacks = takes_stacks };
	struct consumer c;

	j->samples = trace_samples_new(&o, j->model);
	j->inner = trace_samples_consumer(j->samples);
	c = j->inner;
	c.begin = trace_work_begin;
	c.samples = trace_take_samples;
	c.records = j->inner.records ? trace_take_records : NULL;
	c.arg = j;
	return c;
}

void trace_job_begin(struct trace_job *j, bool tells_blocked)
{
	const struct trace_request *rq = j->rq;
	const struct trace_sink sink = { .call = trace_work_show_call,
					 .sample = trace_work_show_sample,
					 .lost = trace_work_show_lost,
					 .arg = j };
	const struct trace_choice choice = {
		.min_duration_ns = rq->min_duration_ns,
		.only_failures = rq->only_failures,
		.whole = rq->whole_calls,
		.wants = rq->selection.names_calls ? wants_call : NULL,
		.shows_sample = shows_sample,
		.arg = j,
		.tells_blocked = tells_blocked,
	};

	trace_samples_free(j->samples);
	trace_model_free(j->model);
	j->samples = NULL;
	/* BPF programs report all new descriptors, whatever calls are chosen. */
	if (rq->selection.names_calls && !tells_blocked)
		trace_tasks_expect_gaps(rq->tasks);
	j->model = trace_model_new(&choice, rq->tasks, &sink);
}

void trace_job_start(struct trace_job *j, uint64_t time_ns)
{
	if (j->has_started || !j->rq->on_start)
		return;
	j->has_started = true;
	j->rq->on_start(j->rq->sink.arg, time_ns);
}

int trace_job_finish(struct trace_job *j)
{
	int r = trace_model_finish(j->model);

	if (r >= 0 && j->rq->on_pass)
		r = j->rq->on_pass(j->rq->sink.arg);
	return r < 0 ? r : 0;
}

int trace_run(const struct trace_request *rq, struct notes *notes, struct record_result *ret,
	      struct diag *diag)
{
	struct trace_job j = { .rq = rq, .notes = notes, .diag = diag };
	int r;

	*ret = (struct record_result){ 0 };
	r = parse_filters(&j);
	if (r >= 0)
		r = rq->input ? trace_read(&j) : trace_live(&j, ret);
	free_filters(&j);
	diag_done(&j.remark);
	trace_samples_free(j.samples);
	trace_model_free(j.model);
	free(j.left);
	free(j.uses);
	return r;
}
