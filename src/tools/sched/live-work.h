/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Feeds live scheduler events to a model, in order of time: from ring buffers, on all CPUs, without
 * a file.
 */
#include <stdint.h>

#include "measure/record.h"

struct diag;
struct notes;
struct sched_reader;

struct sched_live_request {
	const struct sched_reader *reader; /* its kinds are the events to open */
	char *const *argv;                 /* run while this command runs; empty: until a signal */
	uint64_t interval_ms;
	/*
	 * Called at intervals with the reader's arg, @time_ns after the beginning, and at the end.
	 */
	int (*on_interval)(void *arg, uint64_t time_ns);
};

/*
 * Runs until the command has ended or a signal arrives. Lost events are reported in @notes. Returns
 * a negative errno with @diag set. *@ret is set in any case.
 */
int sched_watch(const struct sched_live_request *rq, struct notes *notes, struct record_result *ret,
		struct diag *diag);
