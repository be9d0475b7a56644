/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tasks of `perf sched timehist`, with names and numbers from side-band records, and their
 * sums.
 *
 * A task stays here after its end, because its last context switch comes after its EXIT record. A
 * FORK record with the same number makes a new task of it. A name holds from its record on.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/student.h"
#include "base/u64-map.h"

struct record;
struct spread;

#define TIMEHIST_NO_TASK (-1)
/*
 * The process of a thread that was first mentioned by others. It stays unknown, as in Linux's perf.
 */
#define TIMEHIST_NO_PID 0

struct timehist_task {
	uint32_t index; /* counted from 0 in order of appearance */
	int32_t tid, pid, ppid;
	const char *comm; /* NULL: unknown; equal names have equal pointers */
	bool is_idle;
	bool has_ended;
	bool is_replaced; /* its number belongs to another task now */
	bool is_unwanted; /* filtered out by --pid and --tid */

	uint64_t out_ns;   /* the time it last left a CPU; 0: not seen yet */
	uint64_t woken_ns; /* the time since which it wants to run; 0: unknown */
	uint64_t moved_ns; /* the time it was moved while it wanted to run; 0: none */
	char out_state;    /* the state in which it left: see timehist_state_char() */
	int32_t prio;

	/* Sums over its rows that count. */
	struct moments run; /* in nanoseconds */
	uint64_t min_run_ns, max_run_ns;
	uint64_t run_ns, sleep_ns, iowait_ns, preempted_ns, delay_ns, pre_migration_ns;
	uint64_t migrations;
	struct spread *spread; /* NULL: not requested */

	/* For an idle task: the task that left the CPU to it, and that one's stack. */
	struct timehist_task *before;
	uint32_t before_chain;
};

struct timehist_tasks {
	struct arena arena;
	struct intern names;
	struct u64_map by_tid;
	struct {
		struct timehist_task **items; /* in order of appearance, idle tasks included */
		size_t n, room;
	} all;
	struct {
		struct timehist_task **items; /* the idle task of each CPU, or NULL */
		size_t n, room;
	} idle;
	/* Called for a new task, so that its owner may set is_unwanted; or NULL. */
	void (*on_new)(void *arg, struct timehist_task *t);
	void *arg;
};

void timehist_tasks_done(struct timehist_tasks *t);

/* Returns the thread @tid of @pid, which is made if necessary. Never NULL. */
struct timehist_task *timehist_task_get(struct timehist_tasks *t, int32_t pid, int32_t tid);

/* Returns the idle task of @cpu, which is made if necessary. NULL: no machine has such a CPU. */
struct timehist_task *timehist_task_idle(struct timehist_tasks *t, uint32_t cpu);

/* Returns the idle task of @cpu, or NULL. */
struct timehist_task *timehist_task_find_idle(const struct timehist_tasks *t, uint32_t cpu);

/* Takes a COMM, FORK or EXIT record. */
void timehist_tasks_take(struct timehist_tasks *t, const struct record *r);
