/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The loop of a measurement: lets the workload go and waits until the run is over.
 *
 * Sleeps in ppoll() and wakes only for what happens: a descriptor that is ready, a moment that is
 * due, the end of the workload or of the tasks, a signal, a line of --control. Starting and
 * stopping events is done here; counting and recording implement a handler for the rest.
 *
 * Who ends a workload: with waits_for_workload a run lasts until the workload has ended. Ctrl-C
 * reaches it from the terminal, a signal sent to us alone is passed on to it, and the timeout and
 * `stop` send it SIGTERM. Otherwise all of these end the run at once, and loop_end_workload() ends
 * the workload when the results are safe.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

struct control;
struct diag;
struct notes;
struct opened_events;
struct signals;
struct task_list;
struct workload;

#define LOOP_NEVER UINT64_MAX

enum loop_end {
	LOOP_END_WORKLOAD,
	LOOP_END_SIGNAL,
	LOOP_END_TIMEOUT,
	LOOP_END_INTERVALS, /* as many as were asked for */
	LOOP_END_TARGET,    /* the measured tasks are gone */
	LOOP_END_STOPPED,   /* by --control, or after the last range of -D */
	LOOP_END_SIZE,      /* the file is as large as it may become */
};

/* What is done in a run; each may be NULL. A negative errno ends the run. */
struct loop_handler {
	/* An interval has ended, at @time_ns since the start of the measurement; with interval_ms.
	 */
	int (*on_interval)(void *arg, uint64_t time_ns);
	/* After each sleep, and at wake_ns at the latest, unless the run was over by then. */
	int (*on_wake)(void *arg);
	/* SIGUSR2 or --control asks for a snapshot. NULL: there are none to take. */
	void (*on_snapshot)(void *arg, bool by_signal);
	/* --control asks for a list of the events. */
	void (*on_list)(void *arg, const char *options);
	/*
	 * Events were started or stopped: all of them, or those called @name. A workload that
	 * starts its events by its exec has not been let go yet. At the end all are stopped.
	 */
	void (*on_switch)(void *arg, const char *name, bool on);
};

/* A descriptor to wait for. */
struct loop_source {
	int fd;
	int (*on_ready)(void *arg); /* NULL: no source. A negative errno ends the run. */
};

struct loop {
	struct opened_events *events;
	struct workload *workload; /* forked, not started; pid 0: none */
	struct signals *signals;
	struct control *control;       /* or NULL */
	const struct task_list *tasks; /* the run ends with them; NULL: it does not */
	bool waits_for_workload;
	bool watches_cpus; /* events are open on all CPUs: those that come or go are told of */

	/*
	 * -D: events do not start by themselves, but are started and stopped in turn, at these
	 * times since the workload was let go. With waits_for_workload the first turn comes at once
	 * when a signal comes or the run ends before it.
	 */
	bool held_back;
	const uint64_t *turns_ms;
	size_t n_turns;

	/* Since the first turn, or without any since the workload was let go; 0: none. */
	uint64_t interval_ms;
	uint64_t interval_count; /* 0: no limit */
	uint64_t timeout_ms;

	struct loop_source sources[2];
	const struct loop_handler *handler;
	void *arg;           /* of the handler and the sources */
	struct notes *notes; /* events were started or stopped; what --control asked for */

	uint64_t now_ns;  /* on the monotonic clock, when the loop last woke up */
	uint64_t wake_ns; /* set by the handler */
	bool over;
	uint64_t
		passed_on_ns; /* when the first signal was passed on to the workload; 0: none was */

	enum loop_end end;   /* once the run is over */
	int signal;          /* the last that came to end the run, or 0 */
	bool reaped;         /* the workload has ended: */
	int wait_status;     /* how, */
	struct rusage usage; /* and what it cost */
	uint64_t elapsed_ns; /* of the measurement */
};

/*
 * Runs to the end, and stops all events. A negative errno with @diag set: the workload could not
 * be executed, or what a callback returned.
 */
int loop_run(struct loop *l, struct diag *diag);

/* Ends the run for the reason @why, unless it is over: for callbacks. */
void loop_stop(struct loop *l, enum loop_end why);

/* Has a signal or a command come? For callbacks that take long. */
bool loop_has_news(const struct loop *l);

/*
 * Ends a workload that still runs or was not let go yet, waits for it, and notes the signals that
 * came since the run. A further signal kills a workload that ignores SIGTERM.
 */
void loop_end_workload(struct loop *l);
