/* SPDX-License-Identifier: MIT */
#include "measure/live.h"

#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "capture/lost.h"
#include "capture/record-priority.h"
#include "kernel/kept-files.h"
#include "kernel/proc-task.h"
#include "measure/record-drains.h"
#include "measure/record-interpreted.h"
#include "measure/record-job.h"
#include "measure/record-notes.h"
#include "measure/record-stacks.h"
#include "session/live.h"
#include "symbol/runtime-names.h"
#include "symbol/symbolizer.h"

/* Events are shown at the latest this long after they happened. */
#define LOOK_NS (50 * 1000000ULL)

/*
 * The real-time priority of a reader that must not wait for the programs it watches, as in perf
 * record.
 */
#define REALTIME 1

/*
 * At most this many mapped files are kept open. Names are looked up soon after a file was mapped,
 * so fewer are needed than for a recording.
 */
#define KEPT_MAX 256

struct measure_live {
	const struct live_request *rq;
	struct record_job *job;
	struct loop loop;
	struct session *session;
	struct live_feed *feed;
	struct record_sink sink;
	uint64_t next_look_ns;
	uint64_t pass_ns, before_ns; /* when the last pass began, and the one before */
	int companion_fd;
	int signal_error; /* error of on_signal() */
	bool stopped;     /* the consumer wants no more records */
};

static void live_take(void *arg, const struct iovec pieces[2])
{
	struct measure_live *l = arg;

	if (l->rq->on_bytes)
		l->rq->on_bytes(l->rq->consumer.arg, pieces);
	live_feed_take(l->feed, pieces);
}

static int live_end_pass(void *arg)
{
	struct measure_live *l = arg;
	int r = l->stopped ? 0 : live_feed_end_pass(l->feed);

	if (r > 0) {
		l->stopped = true;
		loop_stop(&l->loop, LOOP_END_STOPPED);
	}
	return r < 0 ? r : 0;
}

static int live_refuse(struct measure_live *l, int r)
{
	return l->job->diag->message
		       ? r
		       : diag_set(l->job->diag, r, "cannot take events: %s", strerror(-r));
}

static int note_stop(struct measure_live *l, int r)
{
	if (r <= 0)
		return r;
	l->stopped = true;
	loop_stop(&l->loop, LOOP_END_STOPPED);
	return 0;
}

/*
 * Takes records from the companion. The rings have handed out only what happened before the pass
 * before this one, and the companion must not be ahead of them.
 */
static int take_companion(struct measure_live *l, bool last)
{
	const struct live_companion *c = l->rq->companion;
	uint64_t until = l->feed && !last ? l->before_ns : UINT64_MAX;

	return c && !l->stopped ? note_stop(l, c->take(c->arg, until, last)) : 0;
}

/* Reports the records that were lost at the very end in the same way as those lost before. */
static int take_untold(struct measure_live *l)
{
	const struct record_job *j = l->job;
	const struct file_event *e = &j->facts.opened[0];
	uint64_t lost = lost_untold(&j->opened, &j->drains->tally);
	_cleanup_(bytes_done) struct bytes b = { 0 };

	if (!lost)
		return 0;
	synth_lost(&e->attr, e->ids[0], lost, live_feed_newest(l->feed), &b);
	live_take(l, (struct iovec[2]){ { b.data, b.n } });
	return live_end_pass(l);
}

static int drain_rings(struct measure_live *l, bool last)
{
	int r = l->feed ? record_drain_pass(l->job->drains, last) : 0;

	if (r >= 0 && last && l->feed)
		r = take_untold(l);
	if (r >= 0 && last && l->feed && !l->stopped)
		r = note_stop(l, live_feed_finish(l->feed));
	return r;
}

static uint64_t look_ns(const struct measure_live *l)
{
	return l->rq->look_ms ? l->rq->look_ms * 1000000 : LOOK_NS;
}

static int live_pass(struct measure_live *l, bool last)
{
	int r;

	l->before_ns = l->pass_ns;
	l->pass_ns = clock_ns(CLOCK_MONOTONIC);
	r = drain_rings(l, last);
	if (r >= 0)
		r = take_companion(l, last);
	if (r >= 0 && l->rq->on_pass)
		r = l->rq->on_pass(l->rq->consumer.arg);
	l->next_look_ns = l->loop.wake_ns = l->loop.now_ns + look_ns(l);
	return r < 0 ? live_refuse(l, r) : 0;
}

static int live_on_wake(void *arg)
{
	struct measure_live *l = arg;

	if (l->signal_error < 0)
		return live_refuse(l, l->signal_error);
	if (l->loop.now_ns >= l->next_look_ns || (l->feed && record_drain_is_due(l->job->drains)))
		return live_pass(l, false);
	return 0;
}

static int live_on_interval(void *arg, uint64_t time_ns)
{
	struct measure_live *l = arg;
	int r;

	(void)time_ns;
	if (!l->rq->on_interval)
		return 0;
	/* Everything that has arrived by now belongs to this interval. */
	r = live_pass(l, false);
	return r < 0 ? r : l->rq->on_interval(l->rq->consumer.arg);
}

static int live_look_at_sources(void *arg)
{
	struct measure_live *l = arg;

	record_drain_look(l->job->drains);
	if (record_job_ends_with_tasks(l->job) && !l->job->drains->sources)
		loop_stop(&l->loop, LOOP_END_TARGET);
	return 0;
}

static void live_on_switch(void *arg, const char *name, bool on)
{
	const struct measure_live *l = arg;

	if (l->feed)
		record_drain_turn(l->job->drains, name, on);
}

static int companion_is_ready(void *arg)
{
	return live_pass(arg, false);
}

static void live_on_snapshot(void *arg, bool by_signal)
{
	struct measure_live *l = arg;

	if (by_signal && l->rq->on_signal)
		l->signal_error = l->rq->on_signal(l->rq->consumer.arg);
}

static int live_begin(struct measure_live *l)
{
	struct record_job *j = l->job;
	_cleanup_(bytes_done) struct bytes before = { 0 };
	int r;

	if (l->rq->symbolizer) {
		symbolizer_recorded_here(l->rq->symbolizer, j->kept);
		symbolizer_take_functions(l->rq->symbolizer, j->functions);
	}
	l->session = session_live_new(&(struct session_live_options){
		.events = j->facts.opened,
		.n_events = j->facts.n,
		.features = &j->facts.early,
		.symbolizer = l->rq->symbolizer,
		.is_gone = proc_task_is_gone,
		.keeps_all = l->rq->keeps_all,
	});
	r = live_feed_new(l->session, l->rq->workers, &l->rq->consumer, &l->feed);
	if (r < 0)
		return live_refuse(l, r);
	synth_prologue(&j->facts.synth, &before);
	r = live_feed_tell(l->feed, before.data, before.n);
	l->stopped = r > 0;
	return r < 0 ? live_refuse(l, r) : 0;
}

static int watch_rings(struct measure_live *l)
{
	struct record_drain *d = l->job->drains;
	int r;

	if (!l->feed)
		return 0;
	r = record_drain_watch(d);
	if (r < 0)
		return live_refuse(l, r);
	l->sink = (struct record_sink){ .take = live_take, .end_pass = live_end_pass, .arg = l };
	d->sink = &l->sink;
	l->loop.sources[0] = (struct loop_source){ d->epoll_fd, live_look_at_sources };
	return 0;
}

static int begin_companion(struct measure_live *l)
{
	const struct live_companion *c = l->rq->companion;
	int r = c ? c->begin(c->arg, l->job, &l->companion_fd) : 0;

	if (r < 0)
		return live_refuse(l, r);
	if (c)
		l->loop.sources[1] = (struct loop_source){ l->companion_fd, companion_is_ready };
	/* Without rings, nothing else notices that the tasks have ended. */
	if (!l->feed && record_job_ends_with_tasks(l->job))
		l->loop.tasks = &l->job->targets;
	return 0;
}

/* Takes everything that has arrived until the end, from the companion too. */
static int live_finish(struct measure_live *l)
{
	const struct live_companion *c = l->rq->companion;
	int r;

	if (c)
		c->stop(c->arg);
	r = live_pass(l, true);
	if (r >= 0 && l->rq->on_end)
		r = l->rq->on_end(l->rq->consumer.arg);
	return r < 0 ? live_refuse(l, r) : 0;
}

static int live_run_loop(struct measure_live *l)
{
	static const struct loop_handler handler = { .on_wake = live_on_wake,
						     .on_interval = live_on_interval,
						     .on_snapshot = live_on_snapshot,
						     .on_switch = live_on_switch };
	struct record_priority priority = { 0 };
	int r;

	l->loop = record_job_loop(l->job);
	l->loop.interval_ms = l->rq->interval_ms;
	l->loop.timeout_ms = l->rq->timeout_ms;
	l->loop.handler = &handler;
	l->loop.arg = l;
	r = watch_rings(l);
	if (r >= 0)
		r = begin_companion(l);
	if (r < 0)
		return r;
	if (l->rq->raises_priority || l->rq->what.buffer.realtime)
		record_priority_raise(l->rq->what.buffer.realtime ? (int)l->rq->what.buffer.realtime
								  : REALTIME,
				      &priority);
	l->loop.now_ns = clock_ns(CLOCK_MONOTONIC);
	l->next_look_ns = l->loop.wake_ns = l->loop.now_ns + look_ns(l);
	r = loop_run(&l->loop, l->job->diag);
	signals_ending(l->loop.signals, l->loop.signal);
	if (r >= 0)
		r = live_finish(l);
	else if (l->rq->companion)
		l->rq->companion->stop(l->rq->companion->arg);
	signals_not_ending(l->loop.signals);
	record_priority_restore(&priority);
	if (l->rq->leaves_command)
		workload_leave(&l->job->workload);
	else
		loop_end_workload(&l->loop);
	return r;
}

static int live_open_rings(struct measure_live *l)
{
	struct record_job *j = l->job;
	int r;

	j->kept = kept_files_new();
	kept_files_limit(j->kept, KEPT_MAX);
	record_interpreted_begin(j);
	record_stacks_start(j);
	r = record_drains_make(j, j->diag);
	if (r >= 0)
		r = record_facts_gather(&j->facts, j, j->diag);
	if (r < 0)
		return r;
	record_notes_before(j);
	return live_begin(l);
}

static int measure_live_run(struct measure_live *l)
{
	struct record_job *j = l->job;
	int r = record_job_prepare(j);

	if (r >= 0)
		r = record_job_open(j);
	if (r >= 0 && j->rings.n)
		r = live_open_rings(l);
	if (r < 0 || l->stopped)
		return r;
	r = live_run_loop(l);
	if (r < 0 && record_request_has_command(j->rq) && !j->workload.pid && !l->loop.reaped)
		workload_explain(j->rq->argv[0], r, j->diag);
	return r;
}

/* Ends what was begun, once no callback is called any more. */
static void live_done(struct measure_live *l)
{
	struct record_job *j = l->job;

	live_feed_free(l->feed);
	session_free(l->session);
	if (l->rq->symbolizer) {
		symbolizer_recorded_here(l->rq->symbolizer, NULL);
		symbolizer_take_functions(l->rq->symbolizer, NULL);
	}
	record_stacks_free(j->stacks);
	record_interpreted_end(j);
	record_job_done(j);
}

int live_run(const struct live_request *rq, struct notes *notes, struct record_result *ret,
	     struct diag *diag)
{
	struct record_job j = record_job_new(&rq->what, notes, diag);
	struct measure_live l = { .rq = rq, .job = &j };
	int r;

	if (rq->command)
		j.command = rq->command;
	j.leaves_signals = rq->leaves_signals;
	j.ends_by_pipe = !rq->sees_broken_pipe;
	r = measure_live_run(&l);
	record_stacks_tell(&j);

	*ret = record_job_result(&j, &l.loop);
	live_done(&l);
	return r;
}
