/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events as they happen: a consumer gets data from ring buffers, without a file.
 *
 *	request ─► open events, rings ─► passes over the rings ─► live session ─► consumer
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "measure/record.h"
#include "session/consumer.h"

struct record_job;
struct symbolizer;
struct workers;

/*
 * Another source of events besides the rings, on the monotonic clock: a BPF program. The callbacks
 * return 0 to continue, > 0 to stop, < 0 to stop with that error. With a companion, there may be no
 * rings.
 */
struct live_companion {
	/*
	 * Begins, after the command is forked, and events are open. *@ret_fd becomes a descriptor
	 * that is readable when there is much data. Errors with the job's diag.
	 */
	int (*begin)(void *arg, struct record_job *job, int *ret_fd);
	/* Takes the events before @until_ns. @last: nothing comes after that. */
	int (*take)(void *arg, uint64_t until_ns, bool last);
	/* Ends it: no later event is wanted. Also called after an error of the loop. */
	void (*stop)(void *arg);
	void *arg;
};

struct live_request {
	const char *command;        /* the command's name in messages; with stacks unwound by BPF */
	struct record_request what; /* its output is ignored */
	struct consumer consumer;   /* its begin() gets the session */
	struct workers *workers;    /* NULL: one thread */
	/*
	 * For names of functions; not shared, because images are released on the way. NULL: none.
	 */
	struct symbolizer *symbolizer;
	/*
	 * Nothing is released: for consumers whose results refer to images and names. The memory
	 * grows with the duration.
	 */
	bool keeps_all;
	const struct live_companion *companion; /* or NULL */
	/*
	 * Reading has priority over everything: if programs write faster than we read, events are
	 * lost.
	 */
	bool raises_priority;
	/* A command that still runs at the end continues; otherwise it is ended. */
	bool leaves_command;
	/*
	 * The callbacks notice when their output has no reader (EPIPE); else SIGPIPE ends the
	 * process.
	 */
	bool sees_broken_pipe;
	/* The caller handles signals, and runs this in a separate thread: see companion. */
	bool leaves_signals;
	/*
	 * Events are passed on this long after they happened, at the latest; 0: a 20th of a second.
	 */
	uint64_t look_ms;
	/*
	 * Receives the contents of rings, unchanged, before they are passed on; with the consumer's
	 * arg.
	 */
	void (*on_bytes)(void *arg, const struct iovec pieces[2]);
	uint64_t timeout_ms; /* the run ends after this time; 0: never */
	/*
	 * Called with the consumer's arg when everything that has arrived was passed on; or NULL.
	 */
	int (*on_pass)(void *arg);
	/* Called with the consumer's arg on SIGUSR2; or NULL. */
	int (*on_signal)(void *arg);
	/* Called at this interval, between passes, with the consumer's arg; or NULL. */
	uint64_t interval_ms;
	int (*on_interval)(void *arg);
	/* Called after the last event, before the session is freed; or NULL. */
	int (*on_end)(void *arg);
};

/*
 * Runs until the command or the tasks have ended, a signal arrives, or the consumer stops. Losses
 * in the kernel are reported in @notes. Returns a negative errno with @diag set, including results
 * of callbacks. *@ret is set in any case.
 */
int live_run(const struct live_request *rq, struct notes *notes, struct record_result *ret,
	     struct diag *diag);
