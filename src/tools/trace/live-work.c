/* SPDX-License-Identifier: MIT */
/* perf trace, live: with BPF programs, with ring buffers, or with both. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "bpf/unwind-tables.h"
#include "measure/live.h"
#include "measure/record-job.h"
#include "measure/record-stacks.h"
#include "runtime/functions.h"
#include "tools/trace/internal-work.h"
#include "tools/trace/loop-work.h"
#include "tools/trace/samples-model.h"
#include "tools/trace/trace-bpf.h"
#include "tools/trace/words-work.h"

/*
 * The maximum delay between the BPF program's reading of the clock and the sample of a call's end.
 * The order in which the kernel calls them is not fixed.
 */
#define STACK_DELAY_NS 100000

/*
 * The time for which calls are still recorded after the event that triggers a flight recorder,
 * because they are often informative.
 */
#define AFTERMATH_NS 100000000

struct trace_source {
	struct trace_job *job;
	struct bpf_trace *bpf;           /* NULL: not started, or not used */
	struct record_job *record;       /* while it runs */
	struct runtime_addresses frames; /* those of the current call */
	struct id_list left_out;         /* processes that are left out */
	int refused;                     /* the error with which BPF could not begin; 0: none */
	struct diag why;
	bool is_stopped;
	uint64_t lost_by_bpf; /* part of the job's losses */
	uint64_t from_ns;     /* earlier calls are ignored: -D */
	/* For a flight recorder: */
	uint64_t n_triggers;      /* the number known so far */
	uint64_t due_ns;          /* the time to read it; 0: no trigger */
	bool is_asked;            /* SIGUSR2 has arrived since then */
	uint64_t first_ns;        /* the time of the first delivered event; 0: none yet */
	uint64_t n_kept;          /* the number of kept calls */
	struct trace_words words; /* the events of the rings */
};

static bool trace_live_has_command(const struct trace_request *rq)
{
	return record_request_has_command(&rq->what);
}

static bool trace_live_is_system(const struct trace_request *rq)
{
	return target_is_system(&rq->what.target, trace_live_has_command(rq));
}

static bool trace_unwinds(const struct trace_request *rq)
{
	return rq->what.sampling.callgraph.choice.mode == CALLGRAPH_BPF;
}

static void note_copies(const struct trace_source *t, const struct diag *why)
{
	notes_add(t->job->notes, NOTE_WARNING,
		  "stacks are copied instead of unwound in the kernel: %s",
		  why->message ? why->message : "unknown");
}

/* Begins to watch with programs that unwind; errors with @why. */
static int begin_unwinding(struct trace_source *t, const struct bpf_trace_request *watching,
			   struct record_job *job, struct diag *why)
{
	struct bpf_trace_request rq = *watching;

	rq.unwinds = true;
	rq.functions = job->functions;
	return bpf_trace_begin(&rq, &t->bpf, why);
}

static int begin_programs(struct trace_source *t, struct record_job *job)
{
	const struct trace_request *rq = t->job->rq;
	const struct target *target = &rq->what.target;
	_cleanup_(freep) pid_t *tids = xcalloc(job->targets.n + 1, sizeof(*tids));
	_cleanup_(diag_done) struct diag why = { 0 };
	struct bpf_trace_request request = {
		.env = job->env,
		.targets = trace_bpf_targets(rq, job, tids),
		.excluded = t->left_out.items,
		.n_excluded = t->left_out.n,
		.limits_user = target->user.given,
		.user = target->user.uid,
		.min_duration_ns = rq->min_duration_ns,
		.only_failures = rq->only_failures,
		.string_limit = rq->string_limit,
		.follows_no_forks = !trace_follows_forks(rq),
		.ring_size = rq->what.buffer.size.data_pages * (size_t)sysconf(_SC_PAGESIZE),
		.keeps_newest = rq->ring.ns != 0,
		.trigger_error = rq->ring.trigger_error,
		.trigger_duration_ns = rq->ring.trigger_duration_ns,
		.triggers_at_end = rq->ring.ns != 0,
	};
	int r = trace_bpf_cgroup(rq, job, &request.targets.cgroup_fd);

	if (r < 0)
		return r;
	for (unsigned abi = 0; abi < SYSCALL_N_ABIS && rq->selection.names_calls; abi++)
		request.wanted[abi] = rq->selection.wanted[abi];
	if (trace_unwinds(rq) && begin_unwinding(t, &request, job, &why) >= 0)
		return 0;
	/* A kernel that refuses to unwind may still watch. */
	t->refused = bpf_trace_begin(&request, &t->bpf, &t->why);
	if (trace_unwinds(rq) && !t->refused)
		note_copies(t, &why);
	return t->refused;
}

/*
 * Looks up standard input, output and error of the command now, because a short command has ended
 * when its first call is shown.
 */
static void learn_standard_files(struct trace_source *t, const struct record_job *job)
{
	struct trace_tasks *tasks = t->job->rq->tasks;
	uint32_t pid = (uint32_t)job->workload.pid;

	for (int fd = 0; job->workload.pid > 0 && fd <= STDERR_FILENO; fd++)
		trace_task_file(tasks, trace_tasks_get(tasks, pid, pid), fd);
}

static int trace_live_companion_begin(void *arg, struct record_job *job, int *ret_fd)
{
	struct trace_source *t = arg;
	const struct trace_request *rq = t->job->rq;
	int r = begin_programs(t, job);

	if (r < 0)
		return r;
	t->record = job;
	learn_standard_files(t, job);
	if (t->job->rq->verbose)
		notes_add(t->job->notes, NOTE_DETAIL, "System calls are watched by BPF programs.");
	*ret_fd = bpf_trace_fd(t->bpf);
	t->from_ns = trace_from_ns(rq);
	/*
	 * Another event may be shown before a call that has begun earlier, so the time begins here.
	 */
	if (rq->faults || event_words_have(&rq->selection.events, EVENT_WORD_EVENT))
		trace_job_start(t->job, clock_ns(CLOCK_MONOTONIC));
	return 0;
}

/* Returns @e with addresses in place of interpreted frames. */
static struct call_event trace_live_translate(struct trace_source *t, const struct call_event *e)
{
	struct runtime_functions *f = t->record->functions;
	struct call_event ret = *e;

	if (!f || !e->n_frames)
		return ret;
	t->frames.n = 0;
	runtime_functions_translate(f, RUNTIME_STACKS_CALLS, e->pid, e->frames, e->n_frames,
				    &t->frames);
	ret.frames = t->frames.items;
	ret.n_frames = t->frames.n;
	return ret;
}

static int trace_live_take_event(void *arg, const struct call_event *e)
{
	struct trace_source *t = arg;
	struct call_event translated;
	bool is_call = e->kind == CALL_EVENT_ENTER || e->kind == CALL_EVENT_EXIT ||
		       e->kind == CALL_EVENT_WHOLE || e->kind == CALL_EVENT_BLOCKED;

	if (is_call && e->time_ns < t->from_ns)
		return 0;
	if (e->kind == CALL_EVENT_LOST)
		t->lost_by_bpf += e->count;
	if (is_call) {
		trace_job_start(t->job, e->enter_ns ? e->enter_ns : e->time_ns);
		t->n_kept++;
		t->first_ns = t->first_ns ? t->first_ns : e->time_ns;
	}
	translated = trace_live_translate(t, e);
	return trace_model_event(t->job->model, &translated);
}

/* True if the recorder must be read now. */
static bool ring_is_due(struct trace_source *t, uint64_t now_ns, bool last)
{
	const struct trace_recorder *ring = &t->job->rq->ring;
	uint64_t triggers = bpf_trace_triggers(t->bpf);
	bool is_triggered = triggers != t->n_triggers || t->is_asked ||
			    (last && !ring->trigger_error && !ring->trigger_duration_ns);

	t->n_triggers = triggers;
	t->is_asked = false;
	if (is_triggered && !t->due_ns)
		t->due_ns = now_ns + AFTERMATH_NS;
	if (!t->due_ns || (!last && now_ns < t->due_ns))
		return false;
	t->due_ns = 0;
	return true;
}

static void note_kept(const struct trace_source *t, uint64_t now_ns)
{
	double held = t->first_ns ? (double)(now_ns - t->first_ns) / 1e9 : 0;

	notes_add(t->job->notes, NOTE_STATUS, "%llu system calls of the last %.3f seconds",
		  (unsigned long long)t->n_kept, held);
}

/* Delivers the contents of the recorder, if that was triggered. */
static int trace_live_take_ring(struct trace_source *t, bool last)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC), ns = t->job->rq->ring.ns;
	int r;

	if (!ring_is_due(t, now_ns, last))
		/* The trigger that woke us has been noted. */
		return bpf_trace_read(t->bpf, false, 0, trace_live_take_event, t);
	t->from_ns = now_ns > ns ? now_ns - ns : 0;
	t->first_ns = t->n_kept = 0;
	r = bpf_trace_read(t->bpf, true, UINT64_MAX, trace_live_take_event, t);
	if (t->n_kept)
		note_kept(t, now_ns);
	return r;
}

static int trace_live_on_signal(void *arg)
{
	const struct trace_job *j = arg;
	struct trace_source *t = j->before_arg;

	t->is_asked = true;
	return 0;
}

static int take_programs(void *arg, uint64_t until_ns, bool last)
{
	struct trace_source *t = arg;
	int r;

	if (t->job->rq->ring.ns)
		return trace_live_take_ring(t, last);
	r = bpf_trace_read(t->bpf, last, until_ns, trace_live_take_event, t);

	/* The rings have delivered all samples before that time. */
	return r || !trace_wants_stacks(t->job->rq)
		       ? r
		       : trace_model_stacks_until(t->job->model, until_ns);
}

/*
 * Reads the calls before @time_ns. A call that has ended waits for the sample with its stack, and
 * must therefore come before the sample.
 */
static int take_before(void *arg, uint64_t time_ns)
{
	struct trace_source *t = arg;
	uint64_t until_ns = time_ns + (trace_wants_stacks(t->job->rq) ? STACK_DELAY_NS : 0);

	if (trace_wants_stacks(t->job->rq) && !t->is_stopped)
		bpf_trace_wait(until_ns);
	return bpf_trace_read(t->bpf, t->is_stopped, until_ns, trace_live_take_event, t);
}

static void trace_live_companion_stop(void *arg)
{
	struct trace_source *t = arg;
	const struct unwind_tables_facts *f;

	bpf_trace_stop(t->bpf);
	t->is_stopped = true;
	f = bpf_trace_stacks(t->bpf);
	if (f)
		record_stacks_count(t->record, f);
}

static void trace_live_note_losses(const struct trace_source *t)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	struct notes *notes = t->job->notes;
	uint64_t by_rings = t->job->lost - t->lost_by_bpf;
	struct bpf_trace_losses lost;

	if (by_rings)
		notes_add(notes, NOTE_WARNING,
			  "%llu events were lost: they came faster than they were read; larger "
			  "buffers (-m 64M) hold more",
			  (unsigned long long)by_rings);
	if (!t->bpf || bpf_trace_losses(t->bpf, &lost, &why) < 0)
		return;
	if (lost.calls)
		notes_add(notes, NOTE_WARNING,
			  "%llu system calls were lost: they came faster than they were shown",
			  (unsigned long long)lost.calls);
	if (lost.tasks)
		notes_add(notes, NOTE_WARNING,
			  "%llu tasks were not traced: more ran at once than can be followed",
			  (unsigned long long)lost.tasks);
	if (lost.runs)
		notes_add(notes, NOTE_WARNING,
			  "%llu system calls were lost: they came while BPF programs ran",
			  (unsigned long long)lost.runs);
}

static int trace_live_on_pass(void *arg)
{
	struct trace_job *j = arg;

	return j->rq->on_pass ? j->rq->on_pass(j->rq->sink.arg) : 0;
}

static int trace_live_on_interval(void *arg)
{
	const struct trace_job *j = arg;

	return j->rq->on_counts(j->rq->sink.arg, NULL, clock_ns(CLOCK_MONOTONIC) - j->begin_ns,
				false);
}

static int trace_live_on_end(void *arg)
{
	const struct trace_job *j = arg;
	int r = trace_job_finish(arg);

	if (r >= 0 && j->rq->refresh_ms)
		r = j->rq->on_counts(j->rq->sink.arg, NULL, clock_ns(CLOCK_MONOTONIC) - j->begin_ns,
				     true);
	return r;
}

static bool names_faults(const struct event_words *words)
{
	for (size_t i = 0; i < words->n; i++)
		if (words->items[i].kind == EVENT_WORD_EVENT &&
		    strstr(words->items[i].text, "faults/"))
			return true;
	return false;
}

/*
 * Sets the contents of samples, and the side-band that lines need: names of tasks and, for stacks,
 * mappings.
 */
static void plan_sampling(const struct trace_request *rq, struct sampling_request *s)
{
	bool faults = rq->faults || names_faults(&rq->selection.events);
	bool places = trace_wants_stacks(rq) || faults;

	s->sample.cpu = true;
	s->sample.timestamp = CHOICE_YES;
	s->sample.clock = (struct clock_choice){ true, CLOCK_MONOTONIC };
	s->sample.data_addr = faults;
	s->sideband.no_bpf_event = true;
	s->callgraph.unwound_elsewhere = "raw_syscalls:";
	s->sideband.synth = (struct synth_choice){ true,
						   places ? SYNTH_TASK | SYNTH_MMAP : SYNTH_TASK };
	/* The path of a call through the kernel is of little interest, unlike that of an event. */
	s->callgraph.user_only = rq->selection.takes_calls && !rq->kernel_stacks &&
				 !event_words_have(&rq->selection.events, EVENT_WORD_EVENT);
}

static int trace_live_run(struct trace_source *t, bool with_bpf, struct record_result *ret)
{
	struct trace_job *j = t->job;
	const struct live_companion companion = { .begin = trace_live_companion_begin,
						  .take = take_programs,
						  .stop = trace_live_companion_stop,
						  .arg = t };
	struct live_request live = {
		.command = "trace",
		.what = j->rq->what,
		.companion = with_bpf ? &companion : NULL,
		.symbolizer = j->rq->symbolizer,
		.raises_priority = true,
		.leaves_command = true,
		.sees_broken_pipe = true,
		.on_pass = trace_live_on_pass,
		.on_signal = trace_live_on_signal,
		.interval_ms = j->rq->refresh_ms,
		.on_interval = trace_live_on_interval,
		.on_end = trace_live_on_end,
	};
	int r;

	trace_job_begin(j, with_bpf);
	j->begin_ns = clock_ns(CLOCK_MONOTONIC);
	if (with_bpf && trace_wants_stacks(j->rq))
		trace_model_expect_stacks(j->model);
	live.consumer = trace_job_consumer(j, !with_bpf, with_bpf && trace_wants_stacks(j->rq));
	j->before_sample = with_bpf ? take_before : NULL;
	j->before_arg = t;
	live.what.may_be_empty = with_bpf;
	plan_sampling(j->rq, &live.what.sampling);
	if (!with_bpf && trace_unwinds(j->rq) && j->rq->selection.takes_calls)
		note_copies(t, &t->why);
	trace_words_done(&t->words);
	trace_words_make(&t->words, j->rq, &t->left_out, with_bpf);
	live.what.events = t->words.events;
	r = trace_words_limits(&t->words, j);
	if (r >= 0)
		r = live_run(&live, j->notes, ret, j->diag);
	return r;
}

/* Notes once that pointers are shown as numbers without BPF. */
static void trace_live_note_refusal(struct trace_source *t)
{
	const char *reason = t->why.message ? t->why.message : "unknown";
	struct diag *remark = &t->job->remark;

	diag_set(remark, 0, "Text that pointers lead to is missing: %s", reason);
	if (t->why.hint)
		diag_hint(remark, "%s", t->why.hint);
}

static int choose_way(struct trace_source *t, struct record_result *ret)
{
	const struct trace_request *rq = t->job->rq;
	int r;

	if (rq->selection.takes_calls && rq->bpf == CHOICE_NO && rq->verbose)
		notes_add(t->job->notes, NOTE_DETAIL, "System calls are watched by tracepoints.");
	if (!rq->selection.takes_calls || rq->bpf == CHOICE_NO)
		return trace_live_run(t, false, ret);
	if (trace_can_count(rq)) {
		r = trace_count(t->job, &t->left_out, ret, &t->refused, &t->why);
	} else {
		r = trace_live_run(t, true, ret);
	}
	if (!t->refused)
		return r;
	if (rq->bpf == CHOICE_YES) {
		diag_done(t->job->diag);
		*t->job->diag = t->why;
		t->why = (struct diag){ 0 };
		return t->refused;
	}
	trace_live_note_refusal(t);
	diag_done(t->job->diag);
	*t->job->diag = (struct diag){ 0 };
	return trace_live_run(t, false, ret);
}

static void find_left_out(struct trace_source *t)
{
	const struct trace_request *rq = t->job->rq;

	for (size_t i = 0; i < rq->left_out.n; i++)
		*ARRAY_ADD(&t->left_out) = rq->left_out.items[i];
	if (trace_live_is_system(rq))
		trace_loop_find("", rq->output_fds, rq->n_output_fds, &t->left_out);
}

int trace_live(struct trace_job *j, struct record_result *ret)
{
	struct trace_source t = { .job = j };
	int r;

	find_left_out(&t);
	r = choose_way(&t, ret);
	trace_live_note_losses(&t);
	bpf_trace_free(t.bpf);
	diag_done(&t.why);
	id_list_done(&t.left_out);
	free(t.frames.items);
	trace_words_done(&t.words);
	return r;
}
