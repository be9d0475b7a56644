/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the scheduler does now, for a model that takes its events in order of time: through ring
 * buffers, on all CPUs, without a file.
 */
#include <stdint.h>

#include "measure/record.h"

struct diag;
struct notes;
struct sched_reader;

struct sched_live_request {
	const struct sched_reader *reader; /* its kinds are the events that are opened */
	char *const *argv;                 /* how long: while this runs; empty: until a signal */
	uint64_t interval_ms;
	/* Called every so often with the reader's arg, @time_ns after the beginning; and at the
	 * end. */
	int (*on_interval)(void *arg, uint64_t time_ns);
};

/*
 * Goes on until the command has ended or a signal comes. What was lost goes to @notes. A negative
 * errno with @diag set. *@ret is set in any case.
 */
int sched_watch(const struct sched_live_request *rq, struct notes *notes, struct record_result *ret,
		struct diag *diag);
