/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the tracepoints of the scheduler say: who leaves a CPU and who comes, who wakes whom, who is
 * moved, forked, ends. Fields are bound once for a recording; a sample is then read without names.
 *
 *	sched_events_bind(&e, session);
 *	for each sample:
 *		if (sched_event_read(&e, sample, &event))
 *			...
 *
 * Texts are those of the record: hostile, and without an end of their own.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/task-state.h"

struct session;
struct session_event;
struct session_sample;
struct sched_source;

enum sched_kind {
	SCHED_NONE, /* no event of the scheduler, or one of no interest here */
	SCHED_SWITCH,
	SCHED_WAKING,     /* in the waker's context, before the task is on a run queue */
	SCHED_WAKEUP,     /* it is on one */
	SCHED_WAKEUP_NEW, /* for the first time */
	SCHED_MIGRATE,
	SCHED_RUNTIME, /* sched_stat_runtime: the task has run for so long since the one before */
	SCHED_STAT_WAIT,
	SCHED_STAT_SLEEP,
	SCHED_STAT_BLOCKED,
	SCHED_STAT_IOWAIT,
	SCHED_FORK,
	SCHED_EXEC,
	SCHED_EXIT,
};
#define SCHED_KINDS (SCHED_EXIT + 1)

/* The name of a task as a record has it. */
struct sched_comm {
	const char *chars; /* of the sample; not terminated */
	uint32_t length;
};

/*
 * An event. The task is who is told about: who leaves at a switch, is woken, moved, has run, is
 * forked (the child) or ends. Numbers are those of the initial PID namespace.
 */
struct sched_event {
	enum sched_kind kind;
	uint64_t time;
	uint32_t cpu;                      /* that it happened on */
	uint32_t current_pid, current_tid; /* of the sample: who ran there; may be SAMPLE_NOBODY */
	uint32_t machine_tid; /* the same thread in the initial PID namespace: common_pid */
	bool in_interrupt;    /* an interrupt did it, whoever it interrupted */
	uint32_t tid;
	struct sched_comm comm;
	int32_t prio;
	uint64_t prev_state; /* of a switch: the kernel's word, */
	enum task_state state;
	uint32_t next_tid; /* of a switch: who comes */
	struct sched_comm next_comm;
	int32_t next_prio;
	uint32_t from_cpu;   /* of a migration: where it was; target_cpu is where it goes */
	uint32_t target_cpu; /* of a wake-up: where it will run */
	uint32_t parent_tid; /* of a fork */
	struct sched_comm parent_comm;
	uint64_t ns; /* of SCHED_RUNTIME and the other times */
	const struct session_sample *sample;
};

struct sched_events {
	struct sched_source *sources; /* by event of the recording */
	size_t n_sources;
	struct task_states states;
	bool has[SCHED_KINDS]; /* which kinds were recorded */
};

/* Binds the events of @s, whose records may be in the other byte order. */
void sched_events_bind(struct sched_events *e, const struct session *s);
void sched_events_done(struct sched_events *e);

/* What samples of @event tell. */
enum sched_kind sched_event_kind(const struct sched_events *e, const struct session_event *event);

/* Reads @s. False: it is no event of the scheduler, or its record is too short. */
bool sched_event_read(const struct sched_events *e, const struct session_sample *s,
		      struct sched_event *ret);
