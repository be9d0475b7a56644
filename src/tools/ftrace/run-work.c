/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/run-work.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "capture/loop.h"
#include "capture/opened-events.h"
#include "capture/signals.h"
#include "capture/task-list.h"
#include "capture/workload.h"
#include "tools/ftrace/explain-work.h"
#include "tools/ftrace/request-work.h"
#include "tools/ftrace/settings-work.h"
#include "tools/ftrace/trace-buffer-work.h"

/*
 * Chooses the trace buffer for a request: an instance of our own if the kernel supports the needed
 * settings in instances, and the global buffer otherwise.
 */

/* The settings cannot be made in an instance. */
#define NOT_IN_INSTANCES 1

/*
 * True if the setting needs the global buffer. Instances have no settings for the depth and the
 * functions of function_graph, and they have that tracer itself only since Linux 6.11.
 */
static bool is_for_global(const struct trace_buffer *b, const struct ftrace_setting *s, int error)
{
	return !trace_buffer_is_global(b) &&
	       (error == -ENOENT || !strcmp(s->file, "current_tracer"));
}

static int ftrace_buffer_apply(struct trace_buffer *b, const struct ftrace_request *rq,
			       const struct ftrace_settings *settings, struct diag *diag)
{
	for (size_t i = 0; i < settings->n; i++) {
		const struct ftrace_setting *s = &settings->items[i];
		int r = s->is_added ? trace_buffer_add(b, s->file, s->value)
				    : trace_buffer_set(b, s->file, s->value);

		/*
		 * An option that this kernel does not have, and that nobody asked for, keeps its
		 * default.
		 */
		if (r >= 0 || (r == -ENOENT && !s->option))
			continue;
		if (is_for_global(b, s, r))
			return NOT_IN_INSTANCES;
		return ftrace_explain_setting(rq->tracing, s, r, diag);
	}
	return 0;
}

/*
 * Releases the buffer after a failure. Settings that cannot be undone become a warning, because the
 * earlier failure is the error to report.
 */
static void ftrace_buffer_give_up(struct trace_buffer *b, struct notes *notes)
{
	_cleanup_(diag_done) struct diag why = { 0 };

	if (trace_buffer_release(b, &why) < 0)
		notes_take(notes, NOTE_WARNING, &why);
}

static int open_global(const struct ftrace_request *rq, const struct ftrace_settings *settings,
		       struct notes *notes, struct trace_buffer **ret, struct diag *diag)
{
	struct trace_buffer *b;
	int r = trace_buffer_take(rq->tracing, TRACE_NOTE_PATH, &b, diag);

	if (r < 0)
		return r;
	r = ftrace_buffer_apply(b, rq, settings, diag);
	if (r < 0) {
		ftrace_buffer_give_up(b, notes);
		return r;
	}
	*ret = b;
	return 0;
}

/*
 * Opens a buffer with all of @settings. First repairs what a killed perf left changed, and reports
 * it in @notes. Returns a negative errno with @diag, which names the feature that the kernel lacks,
 * the function that does not exist, or the other user of tracing.
 */
static int ftrace_buffer_open(const struct ftrace_request *rq,
			      const struct ftrace_settings *settings, struct notes *notes,
			      struct trace_buffer **ret, struct diag *diag)
{
	struct trace_buffer *b;
	int r = ftrace_check_tracer(rq, diag);

	if (r < 0)
		return r;
	trace_buffers_repair(rq->tracing, TRACE_NOTE_PATH, notes);
	r = trace_buffer_make(rq->tracing, &b, diag);
	if (r < 0)
		return r;
	r = ftrace_buffer_apply(b, rq, settings, diag);
	if (r == 0) {
		*ret = b;
		return 0;
	}
	ftrace_buffer_give_up(b, notes);
	if (r < 0)
		return r;
	if (rq->verbose)
		notes_add(notes, NOTE_DETAIL, "Traced in the global trace buffer.");
	return open_global(rq, settings, notes, ret, diag);
}

/*
 * Newer kernels wake readers up when the buffer is half full (buffer_percent). Users want to see
 * lines earlier, so the buffer is read at this interval.
 */
#define LOOK_NS 100000000ULL

/*
 * Older kernels wake readers up for each record. It is then better to wait this long for more:
 * reading is traced as well, and the kernel knows the name of a task only once the task has been
 * switched out.
 */
#define GATHER_NS 5000000ULL

/* About thirty years. */
#define DELAY_MS_MAX 1000000000000ULL

struct ftrace_run {
	const struct ftrace_request *rq;
	const struct ftrace_reader *reader;
	struct notes *notes;
	struct diag *diag;
	bool system; /* CPUs are traced, not tasks */
	struct task_list tasks;
	struct cpu_list cpus;
	struct signals signals;
	struct workload workload;
	struct trace_buffer *buffer;
	struct opened_events no_events;
	struct loop loop;
	uint64_t start_ns; /* when tracing begins: -D */
	bool is_on;
	int fd; /* readable when there is something to take */
};

static int ftrace_run_find_targets(struct ftrace_run *run)
{
	const struct target *t = &run->rq->target;
	int r = target_tasks(t, &run->tasks, run->diag);

	run->system = target_is_system(t, ftrace_request_has_command(run->rq));
	if (r >= 0)
		r = target_cpus(t, &run->cpus, run->diag);
	if (r < 0)
		return r;
	/* If the reader of our output goes away, the settings must be undone nevertheless. */
	r = signals_open_for_recording(&run->signals);
	return r < 0 ? diag_set(run->diag, r, "cannot wait for signals: %s", strerror(-r)) : r;
}

/*
 * Forks the process of the command, which waits, and adds it to the traced tasks if no other target
 * is given.
 */
static int ftrace_run_fork_command(struct ftrace_run *run)
{
	int r;

	if (!ftrace_request_has_command(run->rq))
		return 0;
	r = workload_fork(run->rq->argv, &run->signals, &run->workload);
	if (r < 0)
		return diag_set(run->diag, r, "cannot start a process: %s", strerror(-r));
	if (!run->system && !run->tasks.n)
		*ARRAY_ADD(&run->tasks) = (struct target_task){ .tid = run->workload.pid };
	return 0;
}

static int open_buffer(struct ftrace_run *run)
{
	struct ftrace_settings settings;
	int r;

	ftrace_settings_make(run->rq, &run->cpus, &run->tasks, &settings);
	r = ftrace_buffer_open(run->rq, &settings, run->notes, &run->buffer, run->diag);
	ftrace_settings_done(&settings);
	return r;
}

static int switch_tracing(struct ftrace_run *run, bool on)
{
	int r = trace_buffer_switch(run->buffer, on);

	run->is_on = on;
	if (r < 0)
		diag_set(run->diag, r, "cannot switch tracing %s: %s", on ? "on" : "off",
			 strerror(-r));
	return r;
}

/* Called when there is something to take. Waits a little for more, so that it is taken together. */
static int on_ready(void *arg)
{
	struct ftrace_run *run = arg;
	struct loop *l = &run->loop;

	l->sources[0].fd = -1;
	l->wake_ns = l->now_ns + GATHER_NS;
	return 0;
}

static int ftrace_run_on_wake(void *arg)
{
	struct ftrace_run *run = arg;
	struct loop *l = &run->loop;
	int r;

	if (l->now_ns < l->wake_ns)
		return 0;
	if (!run->is_on)
		return switch_tracing(run, true);
	r = run->reader->take(run->reader->arg);
	/* If there is more, signals are checked before it is taken. */
	l->wake_ns = l->now_ns + (r > 0 ? 0 : LOOK_NS);
	l->sources[0].fd = r > 0 ? -1 : run->fd;
	return r;
}

static uint64_t delay_ns(const struct ftrace_request *rq)
{
	return (rq->delay_ms < DELAY_MS_MAX ? rq->delay_ms : DELAY_MS_MAX) * 1000000;
}

static int ftrace_run_loop(struct ftrace_run *run)
{
	static const struct loop_handler handler = { .on_wake = ftrace_run_on_wake };
	int r;

	run->start_ns = clock_ns(CLOCK_MONOTONIC) + delay_ns(run->rq);
	run->loop = (struct loop){
		.events = &run->no_events,
		.workload = &run->workload,
		.signals = &run->signals,
		.tasks = run->system || run->workload.pid ? NULL : &run->tasks,
		.waits_for_workload = true,
		.sources = { { .fd = run->fd, .on_ready = on_ready } },
		.handler = &handler,
		.arg = run,
		.notes = run->notes,
		.wake_ns = run->start_ns,
	};
	r = run->rq->delay_ms ? 0 : switch_tracing(run, true);
	if (r < 0)
		return r;
	r = loop_run(&run->loop, run->diag);
	if (r < 0 && ftrace_request_has_command(run->rq) && !run->workload.pid)
		workload_explain(run->rq->argv[0], r, run->diag);
	return r;
}

static int ftrace_run_trace(struct ftrace_run *run)
{
	int r = run->reader->begin(run->reader->arg, trace_buffer_dir(run->buffer), &run->fd,
				   run->diag);

	if (r >= 0)
		r = ftrace_run_loop(run);
	if (r >= 0)
		r = switch_tracing(run, false);
	for (int more = 1; r >= 0 && more > 0; r = more)
		more = run->reader->take(run->reader->arg);
	run->reader->end(run->reader->arg);
	return r;
}

static void ftrace_run_release(struct ftrace_run *run)
{
	_cleanup_(diag_done) struct diag why = { 0 };

	workload_done(&run->workload);
	if (run->buffer && trace_buffer_release(run->buffer, &why) < 0)
		notes_take(run->notes, NOTE_WARNING, &why);
	signals_close(&run->signals);
	cpu_list_done(&run->cpus);
	task_list_done(&run->tasks);
}

int ftrace_run(const struct ftrace_request *rq, const struct ftrace_reader *reader,
	       struct notes *notes, struct diag *diag)
{
	struct ftrace_run run = {
		.rq = rq,
		.reader = reader,
		.notes = notes,
		.diag = diag,
		.signals = SIGNALS_NONE,
		.workload = WORKLOAD_NONE,
	};
	int r = ftrace_run_find_targets(&run);

	if (r >= 0)
		r = ftrace_run_fork_command(&run);
	if (r >= 0)
		r = open_buffer(&run);
	if (r >= 0)
		r = ftrace_run_trace(&run);
	ftrace_run_release(&run);
	return r;
}
