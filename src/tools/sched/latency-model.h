/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Computes the times for which tasks ran, and for which they waited for a CPU although they were
 * ready to run: from a wake-up, or from losing a CPU, to the switch that puts them on one.
 *
 *	sched_latency_init(&l, &options);
 *	for each event, in order of time:
 *		sched_latency_take(&l, &event);
 *	for each PERF_RECORD_FORK:
 *		sched_latency_forget(&l, tid, time);
 *	sched_latency_rows(&l, session, &show, &rows);
 *
 * Memory grows with tasks. By default the same waits are counted as in Linux's perf 6.1, see
 * sched_latency_options.all.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"

struct diag;
struct sched_event;
struct sched_latency_task;
struct session;

struct sched_latency_options {
	/*
	 * Counts also waits that begin with sched_waking, and those of preempted tasks, which
	 * kernels since 4.14 mark with a bit of their own in prev_state. Linux's perf 6.1 counts
	 * neither, 7.2 counts both.
	 */
	bool all;
	/*
	 * Tasks migrate between CPUs that were recorded and CPUs that were not (-C). A wake-up
	 * therefore counts whatever the task's previous state was, and so does a migration.
	 */
	bool one_cpu;
	/* Names come from switches, not from the session: for sched_latency_renew(). */
	bool keeps_names;
};

struct sched_latency_counts {
	uint64_t wakeups;         /* those that began a wait, and migrations with one_cpu */
	uint64_t early_wakeups;   /* those among them from before the task left its CPU */
	uint64_t needless;        /* wake-ups of tasks that were not asleep: not counted */
	uint64_t switch_bugs;     /* the task that left a CPU was not the last one to come */
	uint64_t left_out_waking; /* not counted without sched_latency_options.all */
	uint64_t left_out_preempted;
};

#define SCHED_LATENCY_RECENT 256 /* a power of two */

struct sched_latency {
	struct sched_latency_options options;
	struct sched_latency_counts counts;
	struct arena arena;
	struct u64_map by_tid;                                   /* the current task of each tid */
	struct sched_latency_task *recent[SCHED_LATENCY_RECENT]; /* some of them, by low bits */
	struct {
		struct sched_latency_task **items;
		size_t n, room;
	} tasks, unused; /* @unused: memory of forgotten tasks, for reuse */
	struct {
		int64_t *items; /* the task that came last, by CPU; -1: not known */
		size_t n, room;
	} current;
};

void sched_latency_init(struct sched_latency *l, const struct sched_latency_options *o);
void sched_latency_done(struct sched_latency *l);

/* Takes an event. Events of other kinds are ignored. */
void sched_latency_take(struct sched_latency *l, const struct sched_event *e);

/* Notes that @tid belongs to a new task from @time on. Later events are not about the old one. */
void sched_latency_forget(struct sched_latency *l, uint32_t tid, uint64_t time);

/*
 * Begins a new table: forgets the counts, and the tasks that sleep or have ended, since nothing
 * else is known about them. Memory then grows with the tasks of one table.
 */
void sched_latency_renew(struct sched_latency *l);

/* A task, or all tasks with the same name. */
struct sched_latency_row {
	const char *comm; /* from the session, or from the model with keeps_names */
	int32_t tid;      /* the task's tid; of several tasks, the greatest one */
	size_t n_tasks;
	uint64_t run_ns;
	uint64_t n, sum_ns; /* the number and the total time of the waits */
	uint64_t max_ns, max_begin, max_end;
};

struct sched_latency_rows {
	struct sched_latency_row *items;
	size_t n, room;
	uint64_t run_ns, n_waits; /* the sums over all rows */
};

/*
 * The keys by which rows are sorted, the greatest value first. Among equal rows, the later name or
 * the greater number comes first.
 */
enum sched_latency_key {
	SCHED_LATENCY_AVG,
	SCHED_LATENCY_MAX,
	SCHED_LATENCY_SWITCH,
	SCHED_LATENCY_RUNTIME,
	SCHED_LATENCY_PID,
};
#define SCHED_LATENCY_KEYS_MAX 16

struct sched_latency_order {
	enum sched_latency_key keys[SCHED_LATENCY_KEYS_MAX];
	size_t n;
};

/*
 * Parses names of keys, separated by commas or blanks: "avg,max". Returns -EINVAL with @diag if
 * there is no such key, or if there are too many.
 */
int sched_latency_order_parse(const char *text, struct sched_latency_order *ret, struct diag *diag);

/*
 * Makes the rows of the tasks that waited, or came onto a CPU, at least once: one for each name, or
 * with @by_task one for each task. A task has its last name. The idle task has no row. @s may be
 * NULL with keeps_names.
 */
void sched_latency_rows(const struct sched_latency *l, const struct session *s, bool by_task,
			const struct sched_latency_order *order, struct sched_latency_rows *ret);
void sched_latency_rows_done(struct sched_latency_rows *rows);
