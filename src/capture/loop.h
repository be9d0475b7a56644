/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The loop of a measurement: starts the workload and waits until the run is over.
 *
 * It sleeps in ppoll() and wakes only for events: a descriptor that is ready, a time that is
 * reached, the end of the workload or of the tasks, a signal, a line of --control. It starts and
 * stops the perf events; counting and recording implement a handler for the rest.
 *
 * The end of a workload: with waits_for_workload a run lasts until the workload has ended. Ctrl-C
 * reaches the workload from the terminal, a signal sent to us alone is passed on to it, and the
 * timeout and `stop` send it SIGTERM. Otherwise all of these end the run at once, and
 * loop_end_workload() ends the workload when the results are safe.
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
	LOOP_END_INTERVALS, /* the requested number of intervals is over */
	LOOP_END_TARGET,    /* the measured tasks have ended */
	LOOP_END_STOPPED,   /* by --control, or after the last range of -D */
	LOOP_END_SIZE,      /* the file has reached its maximum size */
};

/* The actions during a run; each may be NULL. A negative errno ends the run. */
struct loop_handler {
	/*
	 * Called at the end of an interval, @time_ns after the start of the measurement; with
	 * interval_ms.
	 */
	int (*on_interval)(void *arg, uint64_t time_ns);
	/*
	 * Called after each sleep, and at wake_ns at the latest, unless the run was over by then.
	 */
	int (*on_wake)(void *arg);
	/* Called when SIGUSR2 or --control requests a snapshot. NULL: no snapshots can be taken. */
	void (*on_snapshot)(void *arg, bool by_signal);
	/* Called when --control requests a list of the events. */
	void (*on_list)(void *arg, const char *options);
	/*
	 * Called when events were started or stopped: all of them, or those called @name. A
	 * workload that starts its events by its exec has not been started yet. At the end all are
	 * stopped.
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
	bool watches_cpus; /* events are open on all CPUs: report CPUs that come or go */

	/*
	 * -D: events do not start by themselves, but are started and stopped in turn, at these
	 * times since the workload was started. With waits_for_workload, the first turn comes at
	 * once if a signal comes or the run ends before it.
	 */
	bool held_back;
	const uint64_t *turns_ms;
	size_t n_turns;

	/* Counted from the first turn, or without any from the start of the workload; 0: none. */
	uint64_t interval_ms;
	uint64_t interval_count; /* 0: no limit */
	uint64_t timeout_ms;

	struct loop_source sources[2];
	const struct loop_handler *handler;
	void *arg;           /* argument for the handler and the sources */
	struct notes *notes; /* starts and stops of events; answers to --control */

	uint64_t now_ns;  /* monotonic time at which the loop last woke up */
	uint64_t wake_ns; /* set by the handler */
	bool over;
	uint64_t
		/* time at which the first signal was passed on to the workload; 0: none */
		passed_on_ns;

	enum loop_end end;   /* valid once the run is over */
	int signal;          /* the last signal that ended the run, or 0 */
	bool reaped;         /* the workload has ended */
	int wait_status;     /* the status with which it ended */
	struct rusage usage; /* the resources it used */
	uint64_t elapsed_ns; /* duration of the measurement */
};

/*
 * Runs to the end, and stops all events. Returns a negative errno with @diag set: the workload
 * could not be executed, or a callback failed.
 */
int loop_run(struct loop *l, struct diag *diag);

/* Ends the run for the reason @why, unless it is over. For callbacks. */
void loop_stop(struct loop *l, enum loop_end why);

/* True if a signal or a command has arrived. For callbacks that take long. */
bool loop_has_news(const struct loop *l);

/*
 * Ends a workload that still runs or was not started yet, waits for it, and notes the signals that
 * arrived since the run. A further signal kills a workload that ignores SIGTERM.
 */
void loop_end_workload(struct loop *l);
