/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Repeats the work of a recording's tasks (tools/sched/replay-model.h): a thread for each task,
 * which uses CPU time, sleeps until it is woken, and wakes others.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct diag;
struct sched_replay;
struct sched_replayer;

/* The maximum number of threads that are started, whatever a recording contains. */
#define SCHED_REPLAY_THREADS_MAX 10000

/* The cost of running and sleeping on this machine, in nanoseconds. */
struct sched_calibration {
	uint64_t run_overhead, sleep_overhead;
	uint64_t run_test, sleep_test; /* the results for a millisecond each */
};

struct sched_calibration sched_calibrate(void);

/*
 * Starts the threads of those tasks of @r that have work. @r must outlive them. Returns -E2BIG if
 * there are too many, or another error if threads cannot be started. With @diag; *@ret is then
 * untouched.
 */
int sched_replayer_new(const struct sched_replay *r, const struct sched_calibration *c,
		       struct sched_replayer **ret, struct diag *diag);
void sched_replayer_free(struct sched_replayer *p);
DEFINE_FREEP(sched_replayer)

struct sched_round {
	uint64_t wall_ns, cpu_ns;
};

/* Repeats all work once, and waits for its end. */
struct sched_round sched_replayer_run(struct sched_replayer *p);
