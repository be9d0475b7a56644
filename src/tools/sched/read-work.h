/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads a recording for a model of the scheduler (*-model.h), which takes its events in order of
 * time, with records of tasks among them.
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
	unsigned kinds;  /* SCHED_KIND_BIT() of the kinds that take() gets */
	unsigned unread; /* enum sched_members: those that take() does not need */
	void (*take)(void *arg, const struct sched_event *e);
	uint64_t types; /* RECORD_TYPE_BIT() of the records that record() gets */
	void (*record)(void *arg, const struct record *r, uint64_t time);
	void *arg;
};

/* A reader as a consumer of events from any source. Its initial state is `{ .reader = ... }`. */
struct sched_reading {
	const struct sched_reader *reader;
	struct sched_events events;
	const struct session *session; /* set when it has begun */
};

struct consumer sched_reading_consumer(struct sched_reading *r);
void sched_reading_done(struct sched_reading *r);

/*
 * Reads all of @r for @reader. Returns -ENODATA with @diag if there are no context switches, which
 * all models need. Other errors are those of recorded_feed().
 */
int sched_read(struct recorded *r, const struct sched_reader *reader, struct notes *notes,
	       struct diag *diag);

/* Reads a recording for the distribution of tasks' times (tools/sched/task-times-model.h). */

struct task_times;

/*
 * Adds all of @r to @t. Times without a beginning are reported in @notes. Errors are those of
 * sched_read().
 */
int task_times_read(struct recorded *r, struct task_times *t, struct notes *notes,
		    struct diag *diag);
