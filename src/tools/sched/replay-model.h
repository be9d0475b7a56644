/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The work of each task, as a list of steps that can be repeated: run for a time, sleep until
 * woken, wake another task. It is read from a recording in order of time.
 *
 * A sleep waits only if the recording shows which task ended it. A task wakes others before it
 * waits itself, so steps wait only in one direction of time and always come to an end.
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
	 * The duration of a run. For a run of the idle task: the time at which it ended, since the
	 * recording began, because the idle tasks of all CPUs are treated as one.
	 */
	uint64_t ns;
	uint32_t target : 24;   /* for a wake-up: the woken task's number */
	uint32_t kind : 7;      /* enum sched_step_kind */
	uint32_t is_paired : 1; /* a sleep that some task ends; a wake-up that ends a sleep */
};

/* The maximum number of tasks with steps: the number of a task has to fit into a step. */
#define SCHED_REPLAY_TASKS_MAX (1u << 24)

struct sched_replay_task {
	int32_t tid;
	char comm[16]; /* its name when it was first seen; not trusted */
	struct sched_step *items;
	size_t n, room;
};

struct sched_replay {
	bool all;                        /* also count sched_waking; see sched_latency_options */
	struct sched_replay_task *items; /* in order of appearance */
	size_t n, room;
	struct u64_map by_tid; /* the number of the task, plus 1 */
	struct {
		uint64_t *items; /* by CPU: the time of its last switch; 0: none */
		size_t n, room;
	} switched;
	uint64_t begin;               /* the time of the first event */
	uint64_t runs, sleeps, wakes; /* wakes that end a sleep */
	uint64_t targetless, multi_target;
	uint64_t left_out; /* events with too many tasks, or with impossible CPUs */
};

void sched_replay_done(struct sched_replay *r);

/* Takes a switch or wake-up. */
void sched_replay_take(struct sched_replay *r, const struct sched_event *e);

/* Takes a FORK record: the parent and the child exist from now on, with the given names. */
void sched_replay_fork(struct sched_replay *r, uint32_t parent, const char *parent_comm,
		       uint32_t child, const char *child_comm);
