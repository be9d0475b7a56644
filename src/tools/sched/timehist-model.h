/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf sched timehist`: what each context switch tells of the task that leaves its CPU, and sums.
 *
 * For a task that leaves at time t a CPU which the task before it had left at time p:
 *
 *	run	t - p
 *	wait	p - when it left a CPU itself, before
 *	delay	p - when it was woken since
 *
 * What is not known is 0. Events come in order of time; records COMM, FORK and EXIT come to
 * timehist_take_record() in their turn. The model calls for each row and keeps none of them: memory
 * grows with tasks and CPUs.
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
	const struct timehist_task *task;  /* who leaves, or who wakes or moves another one */
	const struct timehist_task *other; /* who is woken or moved */
	uint64_t wait_ns, delay_ns, run_ns;
	uint64_t pre_migration_ns; /* of the delay, what was spent on another CPU's run queue */
	char state;
	const struct sched_event *event;
};

/* Priorities from first to last, both included. */
struct timehist_prio_range {
	uint32_t first, last;
};

struct timehist_options {
	bool idle;        /* what CPUs do without work, by the task that ran before */
	bool count_moves; /* migrations are counted */
	/*
	 * As Linux's perf 7 has it: states have the kernel's letters, and a task that was preempted
	 * wants to run from then on.
	 */
	bool newer;
	uint64_t from_ns, to_ns; /* times outside are cut off; to_ns 0: no end */
	const struct id_list *pids, *tids;
	const struct cpu_list *cpus; /* empty: all */
	const struct timehist_prio_range *prios;
	size_t n_prios; /* 0: all */
	/* Each is NULL if nobody wants to know. */
	void (*row)(void *arg, const struct timehist_row *row);
	/* A number for the stack of the sample of @e, which the model only compares. */
	uint32_t (*chain)(void *arg, const struct sched_event *e);
	void *arg;
};

/* How long a CPU was idle behind a stack. */
struct timehist_idle_chain {
	uint32_t cpu, chain;
	uint64_t idle_ns, count;
};

struct timehist_sums {
	uint64_t first_ns, last_ns; /* the times between which there are rows */
	uint64_t skipped;           /* events that filters left out */
};

struct timehist *timehist_new(const struct timehist_options *o);
void timehist_free(struct timehist *t);
DEFINE_FREEP(timehist)

/* Takes an event of the scheduler, or a COMM, FORK or EXIT record. */
void timehist_take(struct timehist *t, const struct sched_event *e);
void timehist_take_record(struct timehist *t, const struct record *r);

/* What was added up. It belongs to @t. */
const struct timehist_tasks *timehist_tasks(const struct timehist *t);
struct timehist_sums timehist_sums(const struct timehist *t);

/*
 * The stacks behind which CPUs were idle, by CPU, and those that cost most first. The caller frees
 * the array.
 */
struct timehist_idle_chain *timehist_idle_chains(const struct timehist *t, size_t *ret_n);

/* The letter of a prev_state: that of its lowest bit, as Linux's perf 6, or perf 7, writes it. */
char timehist_state_char(uint64_t prev_state, bool newer);
