/* SPDX-License-Identifier: MIT */
#include "capture/record-loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "capture/control.h"
#include "capture/opened-events.h"
#include "capture/record-file.h"
#include "capture/record-priority.h"
#include "capture/record-sink.h"
#include "capture/record-threads.h"
#include "capture/record-trigger.h"
#include "capture/rotation.h"
#include "capture/signals.h"
#include "capture/workload.h"
#include "datafile/writer.h"

#define NS_PER_MS 1000000ULL
#define NS_PER_S  1000000000ULL
#define NEVER     UINT64_MAX
#define MIB       (1024.0 * 1024.0)

/*
 * Records wait no longer than this, or than that where a file may only become so large; a sink gets
 * them while the processes they tell of are still where they were.
 */
#define LOOK_NS         NS_PER_S
#define LOOK_LIMITED_NS (100 * NS_PER_MS)
#define LOOK_SINK_NS    (50 * NS_PER_MS)

/* Processes that end sooner than this may have no names, if they are in a container. */
#define PEEK_NS       (100 * NS_PER_MS)
#define FIRST_PEEK_NS (10 * NS_PER_MS)

struct run {
	struct record_loop *l;
	struct diag *diag;
	struct record_threads threads;
	struct record_priority priority;
	uint64_t start_ns, now_ns;
	uint64_t next_look_ns;
	uint64_t next_peek_ns;
	size_t turn; /* the next of turns_ms */
	size_t sources;
	bool ended; /* the file is, whether that went well or not, and no other was begun */
	bool dump;  /* SIGUSR2, or `snapshot`, has come */
	bool over;
};

static uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static bool is_threaded(const struct run *run)
{
	return run->l->n_drains > 1;
}

static void end(struct run *run, enum record_end why)
{
	if (!run->over)
		run->l->end = why;
	run->over = true;
}

static void take_signals(struct run *run)
{
	bool sent;
	int number;

	while ((number = signals_take(run->l->signals, &sent))) {
		if (number == SIGCHLD || number == SIGPIPE)
			continue;
		if (number == SIGUSR2) {
			run->dump |= run->l->by_signal;
			continue;
		}
		run->l->signal = number;
		end(run, RECORD_END_SIGNAL);
	}
}

static void switch_all(void *arg, bool on)
{
	struct run *run = arg;

	if (on)
		opened_events_enable(run->l->events);
	else
		opened_events_disable(run->l->events);
	if (run->l->hooks.on_switch)
		run->l->hooks.on_switch(run->l->hooks.arg, on);
}

static int switch_one(void *arg, const char *name, bool on)
{
	struct run *run = arg;

	return opened_events_switch(run->l->events, name, on);
}

static void list(void *arg, const char *options)
{
	struct run *run = arg;

	if (run->l->hooks.on_list)
		run->l->hooks.on_list(run->l->hooks.arg, options);
}

static void ask_for_dump(void *arg)
{
	struct run *run = arg;

	run->dump = true;
}

static void stop(void *arg)
{
	end(arg, RECORD_END_STOPPED);
}

static void remark(void *arg, const char *sentence)
{
	struct run *run = arg;

	if (run->l->hooks.on_remark)
		run->l->hooks.on_remark(run->l->hooks.arg, sentence);
}

static const struct control_actions actions = {
	.switch_all = switch_all,
	.switch_one = switch_one,
	.list = list,
	.snapshot = ask_for_dump,
	.stop = stop,
	.remark = remark,
};

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t turn_ns(const struct run *run)
{
	const struct record_loop *l = run->l;

	return run->turn < l->n_turns ? run->start_ns + l->turns_ms[run->turn] * NS_PER_MS : NEVER;
}

static uint64_t next_deadline(const struct run *run)
{
	uint64_t rotation = run->l->rotation ? rotation_deadline(run->l->rotation) : NEVER;
	uint64_t look = is_threaded(run) ? NEVER : run->next_look_ns;

	return earlier(earlier(look, run->next_peek_ns), earlier(rotation, turn_ns(run)));
}

static uint64_t next_look(const struct run *run)
{
	const struct record_loop *l = run->l;
	bool limited = l->max_bytes || (l->rotation && l->rotation->bytes);

	if (l->file->sink)
		return run->now_ns + LOOK_SINK_NS;
	return run->now_ns + (limited ? LOOK_LIMITED_NS : LOOK_NS);
}

/* The rings of threads are theirs, and what goes to a sink is soon read anyway. */
static bool peeks(const struct run *run)
{
	return !is_threaded(run) && run->l->drains->kept && !run->l->file->sink;
}

static void peek(struct run *run)
{
	record_drain_peek(run->l->drains);
	run->next_peek_ns = run->now_ns + PEEK_NS;
}

static int writing_failed(struct run *run, int error)
{
	return writer_explain(run->l->writer, error, run->diag);
}

/* Sees what has happened to the sources, and whether all of them are gone. */
static int look(struct run *run)
{
	struct record_loop *l = run->l;
	int r = 0;

	if (is_threaded(run)) {
		r = record_threads_look(&run->threads, &run->sources);
	} else {
		record_drain_look(l->drains);
		run->sources = l->drains->sources;
	}
	if (r < 0)
		return writing_failed(run, r);
	if (l->workload->pid > 0) {
		struct rusage usage;

		l->reaped = workload_reap(l->workload, false, &l->wait_status, &usage) > 0;
		if (l->reaped)
			end(run, RECORD_END_WORKLOAD);
	} else if (l->tasks && !run->sources) {
		end(run, RECORD_END_TARGET);
	}
	return 0;
}

/* Sleeps until @deadline_ns at most, and takes what has come. */
static int sleep_until(struct run *run, uint64_t deadline_ns)
{
	struct record_loop *l = run->l;
	struct pollfd fds[] = {
		{ .fd = l->signals->fd, .events = POLLIN },
		{ .fd = l->control ? control_fd(l->control) : -1, .events = POLLIN },
		{ .fd = is_threaded(run) ? run->threads.news_fd : l->drains->epoll_fd,
		  .events = POLLIN },
		{ .fd = l->trigger ? record_trigger_fd(l->trigger) : -1, .events = POLLIN },
	};
	uint64_t left = deadline_ns > run->now_ns ? deadline_ns - run->now_ns : 0;
	struct timespec t = { (time_t)(left / NS_PER_S), (long)(left % NS_PER_S) };
	int n = ppoll(fds, ARRAY_SIZE(fds), deadline_ns == NEVER ? NULL : &t, NULL);

	if (n < 0 && errno != EINTR)
		return diag_set(run->diag, -errno, "cannot wait: %s", strerror(errno));
	run->now_ns = clock_ns();
	take_signals(run);
	if (n > 0 && fds[1].revents)
		control_obey(l->control, &actions, run);
	if (n > 0 && fds[3].revents)
		run->dump |= record_trigger_take(l->trigger);
	return look(run);
}

/* One pass over the rings. The rings of threads are theirs until those have ended. */
static int pass(struct run *run, bool last)
{
	struct record_loop *l = run->l;
	int r = 0;

	run->next_look_ns = next_look(run);
	for (size_t i = 0; i < l->n_drains && r >= 0; i++)
		r = record_drain_pass(&l->drains[i], last);
	return r < 0 ? writing_failed(run, r) : 0;
}

static int snapshot(struct run *run)
{
	struct record_loop *l = run->l;
	int r = 0;

	for (size_t i = 0; i < l->n_drains && r >= 0; i++)
		r = record_drain_snapshot(&l->drains[i]);
	return r < 0 ? writing_failed(run, r) : 0;
}

static void add_sizes(struct record_loop *l)
{
	l->data_bytes += writer_data_size(l->writer);
	l->unpacked_bytes += writer_uncompressed_size(l->writer);
	l->packed_bytes += writer_compressed_size(l->writer);
}

/* Lets who makes other records of those of the kernel come to an end with this file. */
static int settle(struct run *run, bool last)
{
	const struct record_sink *sink = run->l->file->sink;
	int r = sink ? sink->settle(sink->arg, last) : 0;

	return r < 0 ? writing_failed(run, r) : 0;
}

static int end_file(struct run *run)
{
	struct record_loop *l = run->l;

	run->ended = true;
	add_sizes(l);
	return record_file_end(l->file, l->writer, l->events, run->diag);
}

/* Gives the finished file the name of its time. */
static int dump_file(struct run *run)
{
	struct record_loop *l = run->l;
	_cleanup_(freep) char *name = rotation_name_now(l->file->path);

	int r = output_file_rename(l->file->path, name);

	if (r < 0)
		return diag_set(run->diag, r, "cannot rename '%s' to '%s': %s", l->file->path, name,
				strerror(-r));
	rotation_add(l->rotation, name);
	if (l->hooks.on_dump)
		l->hooks.on_dump(l->hooks.arg, name);
	return 0;
}

static int begin_file(struct run *run)
{
	struct record_loop *l = run->l;
	struct writer *next = NULL;
	int r = record_file_begin(l->file, false, &next, run->diag);

	if (r < 0)
		return r;
	writer_free(l->writer);
	l->writer = next;
	run->ended = false;
	for (size_t i = 0; i < l->n_drains; i++)
		l->drains[i].writer = next;
	rotation_begin(l->rotation, run->now_ns);
	return 0;
}

/* Ends this file and begins another. */
static int rotate(struct run *run)
{
	int r = pass(run, true);

	if (r >= 0 && run->l->overwrites)
		r = snapshot(run);
	if (r >= 0)
		r = settle(run, false);
	if (r >= 0)
		r = end_file(run);
	if (r >= 0)
		r = dump_file(run);
	if (r >= 0)
		r = begin_file(run);
	return r;
}

static bool is_dump_due(struct run *run)
{
	const struct record_loop *l = run->l;
	bool asked = run->dump;

	run->dump = false;
	return l->rotation &&
	       (asked || rotation_is_due(l->rotation, writer_data_size(l->writer), run->now_ns));
}

static int do_what_is_due(struct run *run)
{
	struct record_loop *l = run->l;
	int r = 0;

	for (; run->now_ns >= turn_ns(run); run->turn++)
		switch_all(run, run->turn % 2 == 0);
	if (run->now_ns >= run->next_peek_ns)
		peek(run);
	/* After the last range nothing is to be recorded any more. */
	if (run->turn && run->turn == l->n_turns && run->turn % 2 == 0)
		end(run, RECORD_END_STOPPED);
	if (!is_threaded(run) &&
	    (run->now_ns >= run->next_look_ns || record_drain_is_due(l->drains)))
		r = pass(run, false);
	if (r >= 0 && run->dump && !l->rotation && l->overwrites) {
		run->dump = false;
		r = snapshot(run);
	}
	if (r >= 0 && is_dump_due(run))
		r = rotate(run);
	if (r >= 0 && l->max_bytes && writer_data_size(l->writer) >= l->max_bytes)
		end(run, RECORD_END_SIZE);
	return r;
}

/* A signal or a command has come: the end of the recording, perhaps, or of the workload. */
static bool has_news(void *arg)
{
	const struct record_loop *l = arg;
	struct pollfd fds[] = {
		{ .fd = l->signals->fd, .events = POLLIN },
		{ .fd = l->control ? control_fd(l->control) : -1, .events = POLLIN },
	};

	return poll(fds, ARRAY_SIZE(fds), 0) > 0;
}

static int start(struct run *run)
{
	struct record_loop *l = run->l;
	int r = 0;

	if (!l->held_back)
		r = opened_events_begin(l->events);
	else if (l->hooks.on_switch)
		l->hooks.on_switch(l->hooks.arg, false);
	if (r < 0)
		return diag_set(run->diag, r, "cannot start the events: %s", strerror(-r));
	for (size_t i = 0; i < l->n_drains && r >= 0; i++)
		r = record_drain_watch(&l->drains[i]);
	record_priority_raise(l->realtime, &run->priority);
	if (!is_threaded(run)) {
		l->drains->is_urgent = has_news;
		l->drains->urgent_arg = l;
	}
	if (r >= 0 && is_threaded(run))
		r = record_threads_start(&run->threads, l->drains, l->n_drains);
	if (r < 0)
		return diag_set(run->diag, r, "cannot watch the ring buffers: %s", strerror(-r));
	run->now_ns = run->start_ns = clock_ns();
	run->next_look_ns = next_look(run);
	run->next_peek_ns = peeks(run) ? run->now_ns + FIRST_PEEK_NS : NEVER;
	if (l->rotation)
		rotation_begin(l->rotation, run->now_ns);
	if (l->workload->pid > 0)
		r = workload_start(l->workload);
	return r < 0 ? diag_set(run->diag, r, "Workload failed: %s", strerror(-r)) : 0;
}

static int wait_for_end(struct run *run)
{
	int r = look(run);

	while (r >= 0 && !run->over) {
		r = sleep_until(run, next_deadline(run));
		/* At the end the events are stopped first, and the rings emptied then. */
		if (r >= 0 && !run->over)
			r = do_what_is_due(run);
	}
	return r;
}

/* What is in the rings when all has ended, and the end of the file. */
static int finish(struct run *run)
{
	struct record_loop *l = run->l;
	int r = pass(run, true);

	if (r >= 0 && l->overwrites)
		r = snapshot(run);
	if (r >= 0)
		r = settle(run, true);
	if (r >= 0)
		r = end_file(run);
	if (r >= 0 && l->rotation)
		r = dump_file(run);
	return r;
}

/* The disk is full: the end of the file may still fit where a record was cut off. */
static void save(struct run *run)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct record_loop *l = run->l;

	if (!run->ended) {
		add_sizes(l);
		record_file_end(l->file, l->writer, l->events, &ignored);
	}
	diag_hint(run->diag, "What fitted, %.3f MB, is in '%s'%s and can be read.",
		  (double)l->data_bytes / MIB, l->file->path ? l->file->path : "-",
		  l->rotation ? " and the files before it" : "");
}

static void end_workload(struct record_loop *l)
{
	struct rusage usage;

	if (l->workload->pid <= 0)
		return;
	kill(l->workload->pid, SIGTERM);
	l->reaped = workload_reap(l->workload, true, &l->wait_status, &usage) > 0;
}

int record_loop_run(struct record_loop *l, struct diag *diag)
{
	struct run run = { .l = l, .diag = diag, .threads = RECORD_THREADS_NONE };
	int r, stopped;
	bool started;

	l->end = RECORD_END_WORKLOAD;
	r = start(&run);
	started = r >= 0;
	if (started)
		r = wait_for_end(&run);
	opened_events_disable(l->events);
	stopped = record_threads_stop(&run.threads);
	if (r >= 0 && stopped < 0)
		r = writing_failed(&run, stopped);
	record_priority_restore(&run.priority);
	if (r >= 0)
		r = finish(&run);
	if (started && writer_is_full(r))
		save(&run);
	take_signals(&run);
	end_workload(l);
	return r;
}

struct record_tally record_loop_tally(const struct record_loop *l)
{
	struct record_tally sum = { 0 };

	for (size_t i = 0; i < l->n_drains; i++)
		record_tally_add(&sum, &l->drains[i].tally);
	return sum;
}
