/* SPDX-License-Identifier: MIT */
#include "capture/loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/notes.h"
#include "capture/control.h"
#include "capture/cpu-watch.h"
#include "capture/opened-events.h"
#include "capture/signals.h"
#include "capture/task-watch.h"
#include "capture/workload.h"
#include "kernel/topology.h"

#define NS_PER_MS 1000000ULL
#define NS_PER_S  1000000000ULL
/* A hundred years: nobody waits longer, and sums of nanoseconds would overflow. */
#define MS_MAX 3155760000000ULL

/* The interval at which tasks are checked if the kernel does not report their end. */
#define LOOK_NS NS_PER_S

/* A signal that arrives this long after the first one kills the workload. */
#define INSIST_NS NS_PER_S

/* The state of a run. Times are on the clock, or LOOP_NEVER. */
struct capture_loop_run {
	struct loop *l;
	struct task_watch watch;
	struct cpu_watch cpus;
	uint64_t begin_ns; /* time at which the workload was started */
	uint64_t start_ns; /* time at which the measurement began */
	uint64_t next_interval_ns;
	uint64_t timeout_ns;
	uint64_t n_intervals;
	size_t turn; /* index of the next one in turns_ms */
};

static uint64_t loop_ns_of(uint64_t ms)
{
	return (ms < MS_MAX ? ms : MS_MAX) * NS_PER_MS;
}

static uint64_t loop_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Reads the clock; now_ns becomes @at_least_ns or later. */
static void look_at_clock(struct loop *l, uint64_t at_least_ns)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	l->now_ns = now > at_least_ns ? now : at_least_ns;
}

static bool has_workload(const struct loop *l)
{
	return l->workload->pid > 0;
}

/* True if the run lasts until the workload ends, whatever else happens. */
static bool loop_must_wait(const struct loop *l)
{
	return l->waits_for_workload && has_workload(l);
}

void loop_stop(struct loop *l, enum loop_end why)
{
	if (!l->over)
		l->end = why;
	l->over = true;
}

/* Ends the run, or the workload that it waits for. */
static void capture_loop_stop(struct loop *l, enum loop_end why)
{
	if (!loop_must_wait(l)) {
		loop_stop(l, why);
		return;
	}
	l->end = why;
	kill(l->workload->pid, SIGTERM);
}

/*
 * Passes a signal on to the workload, which may ignore it. Another signal a while later means that
 * the user still wants an end, so the workload is killed. The delay is for timeout(1), which sends
 * one signal to us, and at once another to our process group.
 */
static void pass_on(struct loop *l, int number)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (!l->passed_on_ns)
		l->passed_on_ns = now;
	kill(l->workload->pid, now - l->passed_on_ns < INSIST_NS ? number : SIGKILL);
}

static void take_signal(struct loop *l, int number, bool sent)
{
	if (number == SIGCHLD || number == SIGPIPE)
		return;
	if (number == SIGUSR2) {
		if (l->handler->on_snapshot)
			l->handler->on_snapshot(l->arg, true);
		return;
	}
	if (!loop_must_wait(l))
		loop_stop(l, LOOP_END_SIGNAL);
	else if (sent)
		pass_on(l, number);
	l->signal = number;
}

static void loop_take_signals(struct loop *l)
{
	bool sent;
	int number;

	while ((number = signals_take(l->signals, &sent)))
		take_signal(l, number, sent);
}

static void note_switch(struct loop *l, bool on)
{
	notes_add(l->notes, NOTE_STATUS, "Events %s", on ? "enabled" : "disabled");
}

static void loop_tell_switch(struct loop *l, const char *name, bool on)
{
	if (l->handler->on_switch)
		l->handler->on_switch(l->arg, name, on);
}

static void loop_switch_all(void *arg, bool on)
{
	struct loop *l = arg;

	if (on)
		opened_events_enable(l->events);
	else
		opened_events_disable(l->events);
	loop_tell_switch(l, NULL, on);
	note_switch(l, on);
}

static int switch_one(void *arg, const char *name, bool on)
{
	struct loop *l = arg;
	int r = opened_events_switch(l->events, name, on);

	if (r >= 0)
		loop_tell_switch(l, name, on);
	return r;
}

static void loop_list(void *arg, const char *options)
{
	struct loop *l = arg;

	if (l->handler->on_list)
		l->handler->on_list(l->arg, options);
}

static void loop_snapshot(void *arg)
{
	struct loop *l = arg;

	l->handler->on_snapshot(l->arg, false);
}

static void stop_as_told(void *arg)
{
	capture_loop_stop(arg, LOOP_END_STOPPED);
}

static void loop_obey(struct loop *l)
{
	const struct control_actions actions = {
		.switch_all = loop_switch_all,
		.switch_one = switch_one,
		.list = loop_list,
		.snapshot = l->handler->on_snapshot ? loop_snapshot : NULL,
		.stop = stop_as_told,
	};

	control_obey(l->control, &actions, l, l->notes);
}

static struct pollfd poll_signals(const struct loop *l)
{
	return (struct pollfd){ .fd = l->signals->fd, .events = POLLIN };
}

static struct pollfd poll_control(const struct loop *l)
{
	int fd = l->control ? control_fd(l->control) : -1;

	return (struct pollfd){ .fd = fd, .events = POLLIN };
}

bool loop_has_news(const struct loop *l)
{
	struct pollfd fds[] = { poll_signals(l), poll_control(l) };

	return poll(fds, ARRAY_SIZE(fds), 0) > 0;
}

/* Sleeps until @deadline_ns at most, and processes what has arrived. */
static int loop_sleep_until(struct capture_loop_run *run, uint64_t deadline_ns)
{
	struct loop *l = run->l;
	struct pollfd fds[] = {
		poll_signals(l),
		poll_control(l),
		{ .fd = l->sources[0].on_ready ? l->sources[0].fd : -1, .events = POLLIN },
		{ .fd = l->sources[1].on_ready ? l->sources[1].fd : -1, .events = POLLIN },
		{ .fd = run->watch.fd, .events = POLLIN },
		{ .fd = run->cpus.fd, .events = POLLIN },
	};
	int r = 0;

	/* The handler has used some time since the loop woke up. */
	look_at_clock(l, l->now_ns);

	uint64_t left = deadline_ns > l->now_ns ? deadline_ns - l->now_ns : 0;
	struct timespec t = { (time_t)(left / NS_PER_S), (long)(left % NS_PER_S) };
	int n = ppoll(fds, ARRAY_SIZE(fds), deadline_ns == LOOP_NEVER ? NULL : &t, NULL);

	if (n < 0 && errno != EINTR)
		return -errno;
	look_at_clock(l, n == 0 ? deadline_ns : l->now_ns);
	loop_take_signals(l);
	if (l->watches_cpus)
		cpu_watch_look(&run->cpus, l->now_ns);
	if (n > 0 && fds[1].revents)
		loop_obey(l);
	for (size_t i = 0; i < ARRAY_SIZE(l->sources) && n > 0 && r >= 0; i++)
		if (fds[2 + i].revents)
			r = l->sources[i].on_ready(l->arg);
	return r;
}

static uint64_t turn_ns(const struct capture_loop_run *run)
{
	const struct loop *l = run->l;

	return run->turn < l->n_turns ? run->begin_ns + loop_ns_of(l->turns_ms[run->turn])
				      : LOOP_NEVER;
}

static uint64_t next_deadline(const struct capture_loop_run *run)
{
	const struct loop *l = run->l;
	uint64_t look = run->watch.blind ? l->now_ns + LOOK_NS : LOOP_NEVER;
	uint64_t wake = l->handler->on_wake ? l->wake_ns : LOOP_NEVER;

	return loop_earlier(loop_earlier(loop_earlier(look, wake), turn_ns(run)),
			    loop_earlier(run->next_interval_ns, run->timeout_ns));
}

/*
 * Intervals are planned by the clock, not by when the previous one was processed, so they do not
 * drift.
 */
static void plan_interval(struct capture_loop_run *run)
{
	uint64_t each = loop_ns_of(run->l->interval_ms), past = run->l->now_ns - run->start_ns;

	run->next_interval_ns = each ? run->start_ns + (past / each + 1) * each : LOOP_NEVER;
}

static void start_measurement(struct capture_loop_run *run)
{
	struct loop *l = run->l;

	run->start_ns = l->now_ns;
	run->timeout_ns = l->timeout_ms ? l->now_ns + loop_ns_of(l->timeout_ms) : LOOP_NEVER;
	plan_interval(run);
}

static int end_interval(struct capture_loop_run *run)
{
	struct loop *l = run->l;
	bool last = ++run->n_intervals == l->interval_count;
	int r;

	/* Events are stopped with the last interval. */
	if (last)
		opened_events_disable(l->events);
	r = l->handler->on_interval(l->arg, l->now_ns - run->start_ns);
	plan_interval(run);
	if (!last)
		return r;
	run->next_interval_ns = LOOP_NEVER;
	l->end = LOOP_END_INTERVALS;
	l->over = !loop_must_wait(l);
	return r;
}

static bool tasks_are_gone(struct capture_loop_run *run)
{
	if (run->watch.fd < 0)
		return false;
	task_watch_update(&run->watch);
	return !run->watch.left;
}

/* True if the measurement begins with the first turn, which has not come yet. */
static bool is_delayed(const struct capture_loop_run *run)
{
	return run->turn == 0 && run->l->n_turns && run->l->waits_for_workload;
}

static bool loop_is_cut_short(struct capture_loop_run *run)
{
	const struct loop *l = run->l;

	return is_delayed(run) &&
	       (l->over || l->signal || workload_has_ended(l->workload) || tasks_are_gone(run));
}

static void loop_take_turn(struct capture_loop_run *run)
{
	loop_switch_all(run->l, run->turn % 2 == 0);
	if (run->turn++ == 0)
		start_measurement(run);
}

static void loop_take_turns(struct capture_loop_run *run)
{
	struct loop *l = run->l;

	while (loop_is_cut_short(run) || (!l->over && l->now_ns >= turn_ns(run)))
		loop_take_turn(run);
	/* Nothing remains to be measured after the last range. */
	if (run->turn && run->turn == l->n_turns && run->turn % 2 == 0)
		capture_loop_stop(l, LOOP_END_STOPPED);
}

static int do_what_is_due(struct capture_loop_run *run)
{
	struct loop *l = run->l;
	int r = 0;

	if (l->now_ns >= run->timeout_ns) {
		run->timeout_ns = LOOP_NEVER;
		capture_loop_stop(l, LOOP_END_TIMEOUT);
	}
	if (!l->over && l->now_ns >= run->next_interval_ns)
		r = end_interval(run);
	if (r >= 0 && l->handler->on_wake)
		r = l->handler->on_wake(l->arg);
	return r;
}

/* Checks the workload and the tasks. */
static int loop_look(struct capture_loop_run *run)
{
	struct loop *l = run->l;
	int r = 0;

	/* loop_take_turns() checks for an end during the delay, and cuts the delay short. */
	if (is_delayed(run))
		return 0;
	if (has_workload(l))
		r = workload_reap(l->workload, false, &l->wait_status, &l->usage);
	if (r > 0) {
		look_at_clock(l, l->now_ns);
		l->reaped = l->over = true;
	}
	if (tasks_are_gone(run))
		loop_stop(l, LOOP_END_TARGET);
	return r;
}

static int loop_wait_for_end(struct capture_loop_run *run)
{
	struct loop *l = run->l;
	int r;

	loop_take_turns(run);
	r = loop_look(run);
	while (!l->over && r >= 0) {
		r = loop_sleep_until(run, next_deadline(run));
		loop_take_turns(run);
		if (r >= 0 && !l->over)
			r = loop_look(run);
		/* At the end, events are stopped before rings are emptied for the last time. */
		if (r >= 0 && !l->over)
			r = do_what_is_due(run);
	}
	l->elapsed_ns = l->now_ns - run->start_ns;
	return r < 0 ? r : 0;
}

static int loop_start(struct capture_loop_run *run, struct diag *diag)
{
	struct loop *l = run->l;
	int r = 0;

	if (!l->held_back)
		r = opened_events_begin(l->events);
	else
		note_switch(l, false);
	if (r < 0)
		return diag_set(diag, r, "cannot start the events: %s", strerror(-r));
	if (!l->held_back)
		loop_tell_switch(l, NULL, true);
	l->now_ns = run->begin_ns = clock_ns(CLOCK_MONOTONIC);
	if (has_workload(l))
		r = workload_start(l->workload);
	if (r < 0)
		return diag_set(diag, r, "Workload failed: %s", strerror(-r));
	run->start_ns = run->begin_ns;
	run->next_interval_ns = run->timeout_ns = LOOP_NEVER;
	if (!l->n_turns)
		start_measurement(run);
	return 0;
}

int loop_run(struct loop *l, struct diag *diag)
{
	struct capture_loop_run run = { .l = l, .watch = TASK_WATCH_NONE, .cpus = CPU_WATCH_NONE };
	int r = 0;

	l->over = false;
	l->passed_on_ns = 0;
	l->end = LOOP_END_WORKLOAD;
	if (l->tasks && !has_workload(l))
		r = task_watch_open(l->tasks, &run.watch);
	if (r < 0)
		return diag_set(diag, r, "cannot watch the tasks: %s", strerror(-r));
	if (l->watches_cpus)
		cpu_watch_begin(&run.cpus, SYSTEM_DEVICES);
	r = loop_start(&run, diag);
	if (r >= 0)
		r = loop_wait_for_end(&run);
	cpu_watch_look(&run.cpus, UINT64_MAX);
	cpu_watch_tell(&run.cpus, l->notes);
	cpu_watch_done(&run.cpus);
	opened_events_disable(l->events);
	loop_tell_switch(l, NULL, false);
	loop_take_signals(l);
	task_watch_close(&run.watch);
	if (r < 0 && !diag->message)
		diag_set(diag, r, "cannot wait for the end: %s", strerror(-r));
	return r;
}

void loop_end_workload(struct loop *l)
{
	loop_take_signals(l);
	if (!has_workload(l))
		return;
	/* Until it is started, the workload blocks signals and waits for us. */
	if (!workload_is_started(l->workload)) {
		workload_done(l->workload);
		return;
	}
	kill(l->workload->pid, SIGTERM);
	l->reaped = workload_wait(l->workload, l->signals, &l->wait_status, &l->usage) > 0;
	loop_take_signals(l);
}
