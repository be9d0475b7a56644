/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Doing again what tasks of a recording did (tools/sched/replay-model.h): a thread for each task,
 * which uses CPU time, sleeps until it is woken, and wakes others.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct diag;
struct sched_replay;
struct sched_replayer;

/* More threads than that are not started, whatever a recording says. */
#define SCHED_REPLAY_THREADS_MAX 10000

/* What running and sleeping cost on this machine, in nanoseconds. */
struct sched_calibration {
	uint64_t run_overhead, sleep_overhead;
	uint64_t run_test, sleep_test; /* of a millisecond each */
};

struct sched_calibration sched_calibrate(void);

/*
 * Starts the threads of the tasks of @r that did something; @r must outlive them. -E2BIG: there are
 * too many. Other errors: threads cannot be started. With @diag; *@ret is untouched then.
 */
int sched_replayer_new(const struct sched_replay *r, const struct sched_calibration *c,
		       struct sched_replayer **ret, struct diag *diag);
void sched_replayer_free(struct sched_replayer *p);
DEFINE_FREEP(sched_replayer)

struct sched_round {
	uint64_t wall_ns, cpu_ns;
};

/* Does everything once, and waits for its end. */
struct sched_round sched_replayer_run(struct sched_replayer *p);
