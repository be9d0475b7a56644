/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reading a recording for a model of the scheduler (analysis/sched/), which takes its events in
 * order of time.
 */
#include <stdint.h>

#include "analysis/sched/event.h"

struct diag;
struct notes;
struct recorded;

#define SCHED_KIND_BIT(kind) (1u << (kind))

struct sched_reader {
	unsigned kinds; /* SCHED_KIND_BIT() of those that take() gets */
	void (*take)(void *arg, const struct sched_event *e);
	/* A PERF_RECORD_FORK: from @time on, @tid is another task than before. Or NULL. */
	void (*forked)(void *arg, uint32_t tid, uint64_t time);
	void *arg;
};

/*
 * Reads all of @r for @reader. -ENODATA with @diag: it has no context switches, which all models
 * need. Other errors as of recorded_feed().
 */
int sched_read(struct recorded *r, const struct sched_reader *reader, struct notes *notes,
	       struct diag *diag);
