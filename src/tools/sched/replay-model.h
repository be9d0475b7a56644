/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What each task did, as a list of steps that can be done again: run for so long, sleep until
 * woken, wake another. Read from a recording in order of time.
 *
 * A sleep waits only if the recording tells who ended it. Whoever wakes did so before what it
 * waits for itself, so that steps wait in one direction of time only and always come to an end.
 *
 * Memory grows with switches and wake-ups: 16 bytes for each step.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"

struct sched_event;

enum sched_step_kind {
	SCHED_STEP_RUN,
	SCHED_STEP_SLEEP,
	SCHED_STEP_WAKE,
};

struct sched_step {
	/*
	 * Of a run: how long. Of a run of the idle task: when it ended, since the recording began,
	 * as the idle tasks of all CPUs are one.
	 */
	uint64_t ns;
	uint32_t target : 24;   /* of a wake-up: the number of the task */
	uint32_t kind : 7;      /* enum sched_step_kind */
	uint32_t is_paired : 1; /* of a sleep: somebody wakes it; of a wake-up: it ends a sleep */
};

/* More tasks than that get no steps: numbers of tasks have to fit into a step. */
#define SCHED_REPLAY_TASKS_MAX (1u << 24)

struct sched_replay_task {
	int32_t tid;
	char comm[16]; /* when it was first seen; hostile */
	struct sched_step *items;
	size_t n, room;
};

struct sched_replay {
	bool all; /* wake-ups of sched_waking count, too; see sched_latency_options */
	struct sched_replay_task *items; /* in order of appearance */
	size_t n, room;
	struct u64_map by_tid; /* the number of a task and 1 */
	struct {
		uint64_t *items; /* by CPU: the time of its last switch; 0: none */
		size_t n, room;
	} switched;
	uint64_t begin;               /* the time of the first event */
	uint64_t runs, sleeps, wakes; /* wakes that end a sleep */
	uint64_t targetless, multi_target;
	uint64_t left_out; /* events of tasks beyond the limit, or of CPUs that no machine has */
};

void sched_replay_done(struct sched_replay *r);

/* Takes a switch or wake-up. */
void sched_replay_take(struct sched_replay *r, const struct sched_event *e);

/* A FORK record: the parent and the child exist from now on, and are called @comm. */
void sched_replay_fork(struct sched_replay *r, uint32_t parent, const char *parent_comm,
		       uint32_t child, const char *child_comm);
