/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How long tasks ran, and how long they waited for a CPU although they were ready to run: from a
 * wake-up, or from being taken off a CPU, to the switch that puts them on one.
 *
 *	sched_latency_init(&l, &options);
 *	for each event, in order of time:
 *		sched_latency_take(&l, &event);
 *	for each PERF_RECORD_FORK:
 *		sched_latency_forget(&l, tid, time);
 *	sched_latency_rows(&l, session, &show, &rows);
 *
 * Memory grows with tasks. What is counted by default is what Linux's perf 6.1 counts, see
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
	 * Waits that begin with sched_waking count, and those of tasks that were preempted, which
	 * kernels since 4.14 tell by a bit of their own in prev_state. Linux's perf 6.1 counts
	 * neither, 7.2 counts both.
	 */
	bool all;
	/*
	 * Tasks come and go from CPUs that were not recorded (-C): a wake-up counts whatever the
	 * task did before, and so does a migration.
	 */
	bool one_cpu;
	/* Names are those that switches tell, not those of the session: for sched_latency_renew().
	 */
	bool keeps_names;
};

struct sched_latency_counts {
	uint64_t wakeups;         /* that began a wait, and migrations with one_cpu */
	uint64_t early_wakeups;   /* of these: older than when the task left its CPU */
	uint64_t needless;        /* wake-ups of tasks that were not asleep: not counted */
	uint64_t switch_bugs;     /* another task left a CPU than the one that had come last */
	uint64_t left_out_waking; /* what is not counted without sched_latency_options.all */
	uint64_t left_out_preempted;
};

struct sched_latency {
	struct sched_latency_options options;
	struct sched_latency_counts counts;
	struct arena arena;
	struct u64_map by_tid; /* the task that has the number now */
	struct {
		struct sched_latency_task **items;
		size_t n, room;
	} tasks, unused; /* @unused: room of tasks that were forgotten */
	struct {
		int64_t *items; /* who came last, by CPU; -1: not known */
		size_t n, room;
	} current;
};

void sched_latency_init(struct sched_latency *l, const struct sched_latency_options *o);
void sched_latency_done(struct sched_latency *l);

/* Takes an event; those that tell nothing here are passed over. */
void sched_latency_take(struct sched_latency *l, const struct sched_event *e);

/* At @time, @tid was given to a new task: what follows is not about the old one. */
void sched_latency_forget(struct sched_latency *l, uint32_t tid, uint64_t time);

/*
 * A new table begins: what was counted is forgotten, and so are the tasks that sleep or have ended,
 * of which nothing else is known. Memory grows with the tasks of one table then.
 */
void sched_latency_renew(struct sched_latency *l);

/* A task, or all tasks with the same name. */
struct sched_latency_row {
	const char *comm; /* of the session, or with keeps_names of the model */
	int32_t tid;      /* of the task; of several, the greatest */
	size_t n_tasks;
	uint64_t run_ns;
	uint64_t n, sum_ns; /* waits */
	uint64_t max_ns, max_begin, max_end;
};

struct sched_latency_rows {
	struct sched_latency_row *items;
	size_t n, room;
	uint64_t run_ns, n_waits; /* of all rows */
};

/* Rows are sorted by these, the greatest first; of equal ones the later name or number first. */
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
 * Parses names of keys with commas or blanks between them: "avg,max". -EINVAL with @diag: there is
 * no such key, or there are too many.
 */
int sched_latency_order_parse(const char *text, struct sched_latency_order *ret, struct diag *diag);

/*
 * Makes the rows of those that waited, or came onto a CPU, at least once: of tasks by name, or with
 * @by_task one for each. A task has its last name. The idle task has no row. @s may be NULL with
 * keeps_names.
 */
void sched_latency_rows(const struct sched_latency *l, const struct session *s, bool by_task,
			const struct sched_latency_order *order, struct sched_latency_rows *ret);
void sched_latency_rows_done(struct sched_latency_rows *rows);
