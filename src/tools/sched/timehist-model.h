/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf sched timehist`: computes the times of the task that leaves its CPU at each context switch,
 * and their sums.
 *
 * If a task leaves a CPU at time t, and the previous task left that CPU at time p:
 *
 *	run	t - p
 *	wait	p - when it left a CPU itself, before
 *	delay	p - when it was woken since
 *
 * Unknown times are 0. Events come in order of time; records COMM, FORK and EXIT are passed to
 * timehist_take_record() in between. The model calls a callback for each row and keeps no rows:
 * memory grows with tasks and CPUs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/sched/timehist-tasks-model.h"

struct cpu_list;
struct id_list;
struct record;
struct sched_event;
struct timehist;

enum timehist_row_kind {
	TIMEHIST_SWITCH,
	TIMEHIST_WAKEUP,
	TIMEHIST_MIGRATION,
};

struct timehist_row {
	enum timehist_row_kind kind;
	uint64_t time_ns;
	uint32_t cpu;
	/* the task that leaves, or that wakes or moves another */
	const struct timehist_task *task;
	const struct timehist_task *other; /* the task that is woken or moved */
	uint64_t wait_ns, delay_ns, run_ns;
	uint64_t pre_migration_ns; /* the part of the delay on another CPU's run queue */
	char state;
	const struct sched_event *event;
};

/* A range of priorities, both ends included. */
struct timehist_prio_range {
	uint32_t first, last;
};

struct timehist_options {
	bool idle;        /* rows about idle CPUs, by the task that ran before */
	bool count_moves; /* migrations are counted */
	/*
	 * Behaves like Linux's perf 7: states have the kernel's letters, and a preempted task wants
	 * to run from then on.
	 */
	bool newer;
	uint64_t from_ns, to_ns; /* times outside are cut off; to_ns 0: no end */
	const struct id_list *pids, *tids;
	const struct cpu_list *cpus; /* empty: all */
	const struct timehist_prio_range *prios;
	size_t n_prios; /* 0: all */
	/* Each callback is NULL if it is not needed. */
	void (*row)(void *arg, const struct timehist_row *row);
	/*
	 * Returns a number for the stack of the sample of @e. The model only compares these
	 * numbers.
	 */
	uint32_t (*chain)(void *arg, const struct sched_event *e);
	void *arg;
};

/* The time for which a CPU was idle after a stack. */
struct timehist_idle_chain {
	uint32_t cpu, chain;
	uint64_t idle_ns, count;
};

struct timehist_sums {
	uint64_t first_ns, last_ns; /* the first and the last time of rows */
	uint64_t skipped;           /* events that filters rejected */
};

struct timehist *timehist_new(const struct timehist_options *o);
void timehist_free(struct timehist *t);
DEFINE_FREEP(timehist)

/* Takes an event of the scheduler, or a COMM, FORK or EXIT record. */
void timehist_take(struct timehist *t, const struct sched_event *e);
void timehist_take_record(struct timehist *t, const struct record *r);

/* Return the sums. They belong to @t. */
const struct timehist_tasks *timehist_tasks(const struct timehist *t);
struct timehist_sums timehist_sums(const struct timehist *t);

/*
 * Returns the stacks after which CPUs were idle, by CPU, those with the most idle time first. The
 * caller frees the array.
 */
struct timehist_idle_chain *timehist_idle_chains(const struct timehist *t, size_t *ret_n);

/* Returns the letter of a prev_state: that of its lowest bit, as in Linux's perf 6 or perf 7. */
char timehist_state_char(uint64_t prev_state, bool newer);
