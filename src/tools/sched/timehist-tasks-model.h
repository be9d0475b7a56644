/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tasks of `perf sched timehist`, named and numbered by side-band records, with what is added
 * up for each.
 *
 * A task keeps its place here after its end, because its last context switch comes behind its EXIT
 * record. A FORK record with the same number makes a new task of it. Names hold from the record
 * that tells them on.
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
/* The process of a thread that others told of first. It stays unknown, as in Linux's perf. */
#define TIMEHIST_NO_PID 0

struct timehist_task {
	uint32_t index; /* counted from 0 in order of appearance */
	int32_t tid, pid, ppid;
	const char *comm; /* NULL: not known; else one pointer for equal names */
	bool is_idle;
	bool has_ended;
	bool is_replaced; /* its number belongs to another task now */
	bool is_unwanted; /* not among those of --pid and --tid */

	uint64_t out_ns;   /* when it left a CPU last; 0: not seen yet */
	uint64_t woken_ns; /* since when it wants to run; 0: not known */
	uint64_t moved_ns; /* when it was moved while it wanted to run; 0: it was not */
	char out_state;    /* how it left: see timehist_state_char() */
	int32_t prio;

	/* Sums over the rows of it that count. */
	struct moments run; /* nanoseconds */
	uint64_t min_run_ns, max_run_ns;
	uint64_t run_ns, sleep_ns, iowait_ns, preempted_ns, delay_ns, pre_migration_ns;
	uint64_t migrations;
	struct spread *spread; /* NULL: nobody asked for it */

	/* Of an idle task: who left the CPU to it, and with which stack. */
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

/* The thread @tid of @pid, new if need be. Never NULL. */
struct timehist_task *timehist_task_get(struct timehist_tasks *t, int32_t pid, int32_t tid);

/* The idle task of @cpu, new if need be; NULL for a CPU that no machine has. */
struct timehist_task *timehist_task_idle(struct timehist_tasks *t, uint32_t cpu);

/* The idle task of @cpu, or NULL. */
struct timehist_task *timehist_task_find_idle(const struct timehist_tasks *t, uint32_t cpu);

/* Takes a COMM, FORK or EXIT record. */
void timehist_tasks_take(struct timehist_tasks *t, const struct record *r);
