/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reading a recording for a model of the scheduler (*-model.h), which takes its events in
 * order of time, and records of tasks among them.
 */
#include <stdint.h>

#include "session/sched-event.h"

struct consumer;
struct diag;
struct notes;
struct record;
struct recorded;
struct session;

#define SCHED_KIND_BIT(kind) (1u << (kind))

struct sched_reader {
	unsigned kinds; /* SCHED_KIND_BIT() of those that take() gets */
	void (*take)(void *arg, const struct sched_event *e);
	uint64_t types; /* RECORD_TYPE_BIT() of the records that record() gets */
	void (*record)(void *arg, const struct record *r, uint64_t time);
	void *arg;
};

/* A reader as a consumer of events, whoever feeds it. `{ .reader = ... }` has not begun. */
struct sched_reading {
	const struct sched_reader *reader;
	struct sched_events events;
	const struct session *session; /* when it has begun */
};

struct consumer sched_reading_consumer(struct sched_reading *r);
void sched_reading_done(struct sched_reading *r);

/*
 * Reads all of @r for @reader. -ENODATA with @diag: it has no context switches, which all models
 * need. Other errors as of recorded_feed().
 */
int sched_read(struct recorded *r, const struct sched_reader *reader, struct notes *notes,
	       struct diag *diag);

/*
 * Reading a recording for how the times of tasks spread (tools/sched/task-times-model.h).
 */

struct task_times;

/* Adds all of @r to @t. What has no beginning goes to @notes. Errors: those of sched_read(). */
int task_times_read(struct recorded *r, struct task_times *t, struct notes *notes,
		    struct diag *diag);
