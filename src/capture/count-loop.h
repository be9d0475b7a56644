/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One run of counting: lets the workload go, waits until it is over, and keeps the intervals.
 *
 * Sleeps in ppoll() and wakes only for what happens: the end of an interval, of the workload or of
 * the tasks, a signal, a line of --control. Reading the counters is the caller's affair, in
 * on_interval() and after the end.
 *
 * Who ends a workload: Ctrl-C reaches it from the terminal, so it is waited for; a signal sent to
 * us alone is passed on to it; --timeout and `stop` send it SIGTERM. It is waited for in any case.
 * The time of a delay is not part of the measurement: elapsed time, intervals and timeout begin
 * after it.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

struct control;
struct opened_events;
struct diag;
struct signals;
struct task_list;
struct workload;

enum count_end {
	COUNT_END_WORKLOAD,
	COUNT_END_SIGNAL, /* and there was no workload to end by it */
	COUNT_END_TIMEOUT,
	COUNT_END_INTERVALS, /* as many as were asked for */
	COUNT_END_TARGET,    /* the watched tasks are gone */
	COUNT_END_STOPPED,   /* by --control */
};

struct count_loop {
	struct opened_events *counters;
	struct workload *workload; /* forked, not started; pid 0: none */
	struct signals *signals;   /* held back since before the fork; NULL: for this run only */
	const struct task_list *tasks; /* without a workload: it ends with these; or NULL */
	uint64_t interval_ms;          /* 0: none */
	uint64_t interval_count;       /* 0: no limit */
	uint64_t timeout_ms;           /* 0: none */
	int64_t delay_ms;        /* after which events start; -1: only --control starts them */
	struct control *control; /* or NULL */

	/* Time is since the start. A negative errno ends the run. */
	int (*on_interval)(void *arg, uint64_t time_ns);
	/* Events were started or stopped meanwhile, by the delay or --control; or NULL. */
	void (*on_switch)(void *arg, bool enabled);
	/* --control asks for a list of the events; or NULL. */
	void (*on_list)(void *arg, const char *options);
	/* A sentence about a command of --control; or NULL. */
	void (*on_remark)(void *arg, const char *sentence);
	void *arg;

	enum count_end end;
	int signal;          /* the last that came to end the run, or 0 */
	int wait_status;     /* of the workload, */
	struct rusage usage; /* and what it cost */
	uint64_t elapsed_ns;
};

/*
 * Runs to the end, and stops the events that are not the workload's own. A negative errno with
 * @diag set: the workload could not be executed, or what on_interval() returned.
 */
int count_loop_run(struct count_loop *l, struct diag *diag);
