/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The data of the scheduler's tracepoints: the threads that leave a CPU and come to it, wake
 * others, are moved, forked and end. Fields are bound once for a recording; a sample is then read
 * without names.
 *
 *	sched_events_bind(&e, session);
 *	for each sample:
 *		if (sched_event_read(&e, sample, &event))
 *			...
 *
 * Texts are those of the record: they are untrusted and not terminated.
 */
#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "session/task-state.h"

struct session;
struct session_event;
struct session_sample;
struct sched_source;

enum sched_kind {
	SCHED_NONE, /* no event of the scheduler, or one that is not used here */
	SCHED_SWITCH,
	SCHED_WAKING,     /* in the waker's context, before the task is on a run queue */
	SCHED_WAKEUP,     /* the task is on a run queue */
	SCHED_WAKEUP_NEW, /* the same, for the first time */
	SCHED_MIGRATE,
	SCHED_RUNTIME, /* sched_stat_runtime: how long the task has run since the last one */
	SCHED_STAT_WAIT,
	SCHED_STAT_SLEEP,
	SCHED_STAT_BLOCKED,
	SCHED_STAT_IOWAIT,
	SCHED_FORK,
	SCHED_EXEC,
	SCHED_EXIT,
};
#define SCHED_KINDS (SCHED_EXIT + 1)

/* The name of a task in a record: up to the first NUL, or all of it. */
struct sched_comm {
	const char *chars; /* in the sample; "" if there is none */
	uint32_t size;
};

/* The kernel's TASK_COMM_LEN. */
#define SCHED_COMM_SIZE 16

/*
 * Returns the length of a name. That of an array of the kernel's size is found faster than by
 * strnlen(), because a large file has millions of them.
 */
static inline uint32_t sched_comm_length(struct sched_comm c)
{
	static const uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;

	if (c.size != SCHED_COMM_SIZE)
		return (uint32_t)strnlen(c.chars, c.size);
	for (uint32_t at = 0; at < SCHED_COMM_SIZE; at += sizeof(uint64_t)) {
		uint64_t word, zeros;

		memcpy(&word, c.chars + at, sizeof(word));
		/* The lowest bit that is set marks the first byte that is 0. */
		zeros = (le64toh(word) - ones) & ~le64toh(word) & tops;
		if (zeros)
			return at + (uint32_t)__builtin_ctzll(zeros) / 8;
	}
	return SCHED_COMM_SIZE;
}

/*
 * An event. The task is the one that the event is about: that which leaves at a switch, is woken,
 * moved, has run, is forked (the child) or ends. Numbers are those of the initial PID namespace.
 */
struct sched_event {
	enum sched_kind kind;
	uint64_t time;
	uint32_t cpu; /* the CPU on which it happened */
	/* from the sample: the thread running there, or SAMPLE_NOBODY */
	uint32_t current_pid, current_tid;
	uint32_t machine_tid; /* the same thread in the initial PID namespace: common_pid */
	bool in_interrupt;    /* done by an interrupt, in any thread */
	uint32_t tid;
	struct sched_comm comm;
	int32_t prio;
	uint64_t prev_state; /* for a switch: the kernel's word, */
	enum task_state state;
	uint32_t next_tid; /* for a switch: the thread that comes */
	struct sched_comm next_comm;
	int32_t next_prio;
	uint32_t from_cpu;   /* for a migration: the old CPU; target_cpu is the new one */
	uint32_t target_cpu; /* for a wake-up: the CPU on which it will run */
	uint32_t parent_tid; /* for a fork: the parent thread */
	struct sched_comm parent_comm;
	uint64_t ns; /* for SCHED_RUNTIME and the other times */
	const struct session_sample *sample;
};

/* Members of events that cost time to read and that few need. */
enum sched_members {
	SCHED_NAMES = 1 << 0, /* comm, next_comm, parent_comm */
	SCHED_PRIOS = 1 << 1, /* prio, next_prio */
	SCHED_WAKER = 1 << 2, /* machine_tid, in_interrupt */
};

struct sched_events {
	struct sched_source *sources; /* by event of the recording */
	size_t n_sources;
	struct task_states states;
	bool has[SCHED_KINDS]; /* the kinds that were recorded */
};

/*
 * Binds the events of @s, whose records may be in the other byte order. The members @unread (enum
 * sched_members) stay 0.
 */
void sched_events_bind(struct sched_events *e, const struct session *s, unsigned unread);
void sched_events_done(struct sched_events *e);

/* Returns the kind of event that samples of @event are. */
enum sched_kind sched_event_kind(const struct sched_events *e, const struct session_event *event);

/* Reads @s. Returns false if it is no event of the scheduler, or if its record is too short. */
bool sched_event_read(const struct sched_events *e, const struct session_sample *s,
		      struct sched_event *ret);
