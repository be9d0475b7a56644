/* SPDX-License-Identifier: MIT */
#include "capture/count-loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/control.h"
#include "capture/opened-events.h"
#include "capture/signals.h"
#include "capture/task-watch.h"
#include "capture/workload.h"

#define NS_PER_MS 1000000ULL
#define NS_PER_S  1000000000ULL
#define NEVER     UINT64_MAX
/* A hundred years: beyond that nobody waits, and sums of nanoseconds would not fit. */
#define MS_MAX 3155760000000ULL

/* Tasks whose end the kernel does not tell are looked at this often. */
#define LOOK_NS NS_PER_S

struct run {
	struct count_loop *l;
	struct signals *signals;
	struct task_watch watch;
	uint64_t start_ns;
	uint64_t now_ns;
	uint64_t next_interval_ns; /* on the clock, as are the others; NEVER */
	uint64_t timeout_ns;
	uint64_t n_intervals;
	bool over;
};

static uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static bool has_workload(const struct run *run)
{
	return run->l->workload->pid > 0;
}

static void end(struct run *run, enum count_end why)
{
	run->l->end = why;
	run->over = true;
}

/* Ends the run; a workload is asked to end, and the run is over when it does. */
static void stop(struct run *run, enum count_end why)
{
	if (!has_workload(run)) {
		end(run, why);
		return;
	}
	run->l->end = why;
	kill(run->l->workload->pid, SIGTERM);
}

static void take_signal(struct run *run, int number, bool sent)
{
	if (number == SIGCHLD)
		return;
	run->l->signal = number;
	if (run->over)
		return;
	if (!has_workload(run))
		end(run, COUNT_END_SIGNAL);
	else if (sent)
		kill(run->l->workload->pid, number);
}

static void take_signals(struct run *run)
{
	bool sent;
	int number;

	while ((number = signals_take(run->signals, &sent)))
		take_signal(run, number, sent);
}

static void switch_all(void *arg, bool on)
{
	struct run *run = arg;

	if (on)
		opened_events_enable(run->l->counters);
	else
		opened_events_disable(run->l->counters);
	if (run->l->on_switch)
		run->l->on_switch(run->l->arg, on);
}

static int switch_one(void *arg, const char *name, bool on)
{
	struct run *run = arg;

	return opened_events_switch(run->l->counters, name, on);
}

static void list(void *arg, const char *options)
{
	struct run *run = arg;

	if (run->l->on_list)
		run->l->on_list(run->l->arg, options);
}

static void stop_as_told(void *arg)
{
	stop(arg, COUNT_END_STOPPED);
}

static void remark(void *arg, const char *sentence)
{
	struct run *run = arg;

	if (run->l->on_remark)
		run->l->on_remark(run->l->arg, sentence);
}

static const struct control_actions actions = {
	.switch_all = switch_all,
	.switch_one = switch_one,
	.list = list,
	.stop = stop_as_told,
	.remark = remark,
};

static uint64_t ns_of(uint64_t ms)
{
	return (ms < MS_MAX ? ms : MS_MAX) * NS_PER_MS;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* It is now, and not before @at_least_ns. */
static void look_at_clock(struct run *run, uint64_t at_least_ns)
{
	uint64_t now = clock_ns();

	run->now_ns = now > at_least_ns ? now : at_least_ns;
}

/* Sleeps until @deadline_ns at most, and takes what has come. */
static int sleep_until(struct run *run, uint64_t deadline_ns)
{
	struct pollfd fds[] = {
		{ .fd = run->signals->fd, .events = POLLIN },
		{ .fd = run->l->control ? control_fd(run->l->control) : -1, .events = POLLIN },
		{ .fd = run->watch.fd, .events = POLLIN },
	};

	/* What was done since the last time took its time. */
	look_at_clock(run, run->now_ns);

	uint64_t left = deadline_ns > run->now_ns ? deadline_ns - run->now_ns : 0;
	struct timespec t = { (time_t)(left / NS_PER_S), (long)(left % NS_PER_S) };
	int n = ppoll(fds, ARRAY_SIZE(fds), deadline_ns == NEVER ? NULL : &t, NULL);

	if (n < 0 && errno != EINTR)
		return -errno;
	look_at_clock(run, n == 0 ? deadline_ns : run->now_ns);
	take_signals(run);
	if (n > 0 && fds[1].revents)
		control_obey(run->l->control, &actions, run);
	return 0;
}

static uint64_t next_deadline(const struct run *run)
{
	uint64_t look = run->watch.blind ? run->now_ns + LOOK_NS : NEVER;

	return earlier(look, earlier(run->next_interval_ns, run->timeout_ns));
}

/* The next one is due by the clock, not by when this one was done: they do not drift. */
static void plan_interval(struct run *run)
{
	uint64_t each = ns_of(run->l->interval_ms);

	run->next_interval_ns =
		each ? run->start_ns + ((run->now_ns - run->start_ns) / each + 1) * each : NEVER;
}

static int end_interval(struct run *run)
{
	struct count_loop *l = run->l;
	bool last = ++run->n_intervals == l->interval_count;
	int r;

	/* What comes after the last one is not to be counted. */
	if (last)
		opened_events_disable(l->counters);
	r = l->on_interval(l->arg, run->now_ns - run->start_ns);
	plan_interval(run);
	if (!last)
		return r;
	run->next_interval_ns = NEVER;
	l->end = COUNT_END_INTERVALS;
	run->over = !has_workload(run);
	return r;
}

static int do_what_is_due(struct run *run)
{
	if (run->now_ns >= run->timeout_ns) {
		run->timeout_ns = NEVER;
		stop(run, COUNT_END_TIMEOUT);
	}
	if (!run->over && run->now_ns >= run->next_interval_ns)
		return end_interval(run);
	return 0;
}

static bool tasks_are_gone(struct run *run)
{
	if (run->watch.fd < 0)
		return false;
	task_watch_update(&run->watch);
	return !run->watch.left;
}

/* What has happened to whom we count. */
static int look(struct run *run)
{
	struct count_loop *l = run->l;
	int r = 0;

	if (has_workload(run))
		r = workload_reap(l->workload, false, &l->wait_status, &l->usage);
	if (r > 0) {
		look_at_clock(run, run->now_ns);
		run->over = true;
	}
	if (tasks_are_gone(run))
		end(run, COUNT_END_TARGET);
	return r;
}

static int wait_for_end(struct run *run)
{
	int r = look(run);

	while (!run->over && r >= 0) {
		r = sleep_until(run, next_deadline(run));
		if (r >= 0 && !run->over)
			r = do_what_is_due(run);
		if (r >= 0 && !run->over)
			r = look(run);
	}
	run->l->elapsed_ns = run->now_ns - run->start_ns;
	return r < 0 ? r : 0;
}

/* A signal, or the end of what is to be counted, cuts it short. */
static int wait_for_delay(struct run *run)
{
	uint64_t until = run->now_ns + ns_of((uint64_t)run->l->delay_ms);
	int r = 0;

	while (r >= 0 && !run->over && !run->l->signal && run->now_ns < until &&
	       !workload_has_ended(run->l->workload) && !tasks_are_gone(run))
		r = sleep_until(run, until);
	switch_all(run, true);
	return r;
}

static int start(struct run *run, struct diag *diag)
{
	struct count_loop *l = run->l;
	int r = 0;

	if (l->delay_ms == 0)
		opened_events_begin(l->counters);
	else if (l->on_switch)
		l->on_switch(l->arg, false);
	run->now_ns = run->start_ns = clock_ns();
	if (has_workload(run))
		r = workload_start(l->workload);
	if (r < 0)
		return diag_set(diag, r, "Workload failed: %s", strerror(-r));
	if (l->delay_ms > 0) {
		r = wait_for_delay(run);
		run->start_ns = run->now_ns;
	}
	plan_interval(run);
	run->timeout_ns = l->timeout_ms ? run->start_ns + ns_of(l->timeout_ms) : NEVER;
	return r;
}

static int run_watched(struct run *run, struct diag *diag)
{
	struct count_loop *l = run->l;
	int r = 0;

	l->end = COUNT_END_WORKLOAD;
	if (l->tasks && !has_workload(run))
		r = task_watch_open(l->tasks, &run->watch);
	if (r < 0)
		return diag_set(diag, r, "cannot watch the tasks: %s", strerror(-r));
	r = start(run, diag);
	if (r >= 0)
		r = wait_for_end(run);
	opened_events_disable(l->counters);
	take_signals(run);
	task_watch_close(&run->watch);
	return r;
}

int count_loop_run(struct count_loop *l, struct diag *diag)
{
	struct signals own = SIGNALS_NONE;
	struct run run = {
		.l = l,
		.signals = l->signals ? l->signals : &own,
		.watch = TASK_WATCH_NONE,
	};
	int r = l->signals ? 0 : signals_open(&own);

	if (r < 0)
		return diag_set(diag, r, "cannot wait for signals: %s", strerror(-r));
	r = run_watched(&run, diag);
	signals_close(&own);
	if (r < 0 && !diag->message)
		diag_set(diag, r, "cannot wait for the end: %s", strerror(-r));
	return r;
}
