/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events as they happen: a consumer is fed from ring buffers, without a file.
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
 * Another source of events beside the rings, on the monotonic clock: a BPF program. The callbacks
 * return 0 to go on, > 0 to stop, < 0 to stop with that error. With it, there may be no rings.
 */
struct live_companion {
	/*
	 * The command is forked, and events are open: begins. *@ret_fd becomes a descriptor that is
	 * readable when there is much to take. Errors with the job's diag.
	 */
	int (*begin)(void *arg, struct record_job *job, int *ret_fd);
	/* Takes what happened before @until_ns. @last: nothing comes after that. */
	int (*take)(void *arg, uint64_t until_ns, bool last);
	/* Nothing that happens from now on is wanted. */
	void (*stop)(void *arg);
	void *arg;
};

struct live_request {
	struct record_request what; /* its output is not looked at */
	struct consumer consumer;   /* its begin() gets the session */
	struct workers *workers;    /* NULL: one thread */
	/* For names of functions; nobody else's, as images are released on the way. NULL: none. */
	struct symbolizer *symbolizer;
	/*
	 * Nothing is forgotten: for consumers that refer to images and names in what they make. It
	 * takes more memory the longer it goes on.
	 */
	bool keeps_all;
	const struct live_companion *companion; /* or NULL */
	/* Whoever writes faster than we read loses events: we take precedence over all. */
	bool raises_priority;
	/* A command that still runs at the end goes on; otherwise it is ended. */
	bool leaves_command;
	/* The callbacks notice when nobody reads what they show (EPIPE); else SIGPIPE ends the
	 * process. */
	bool sees_broken_pipe;
	/* Signals are the caller's affair, who runs this in a thread of its own: see companion. */
	bool leaves_signals;
	/* Events are handed over this long after they happened, at the latest; 0: a 20th second. */
	uint64_t look_ms;
	/* Sees what rings give, as it is, before it is handed over; with the consumer's arg. */
	void (*on_bytes)(void *arg, const struct iovec pieces[2]);
	uint64_t timeout_ms; /* ends after so long; 0: never */
	/* Called with the consumer's arg when all that has come was handed over; or NULL. */
	int (*on_pass)(void *arg);
	/* Called with the consumer's arg on SIGUSR2; or NULL. */
	int (*on_signal)(void *arg);
	/* Called every so often, between passes, with the consumer's arg; or NULL. */
	uint64_t interval_ms;
	int (*on_interval)(void *arg);
	/* Called when nothing more comes, and before the session goes; or NULL. */
	int (*on_end)(void *arg);
};

/*
 * Goes on until the command or the tasks have ended, a signal comes, or the consumer stops. What
 * the kernel did not give goes to @notes. A negative errno with @diag set: also what a callback
 * returned. *@ret is set in any case.
 */
int live_run(const struct live_request *rq, struct notes *notes, struct record_result *ret,
	     struct diag *diag);
