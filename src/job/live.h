/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events as they happen: a consumer is fed from ring buffers, without a file.
 *
 *	request ─► open events, rings ─► passes over the rings ─► live session ─► consumer
 */
#include <stdbool.h>
#include <stdint.h>

#include "job/record.h"
#include "session/consumer.h"

struct symbolizer;
struct workers;

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
	uint64_t timeout_ms; /* ends after so long; 0: never */
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
