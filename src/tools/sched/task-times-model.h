/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The times for which each task waits for a CPU, sleeps and runs: their average and their
 * distribution.
 *
 * A task waits for a CPU (delay) from its wake-up, or from its preemption, until it runs. It sleeps
 * from leaving a CPU until it is woken. A time whose beginning or end was not recorded does not
 * count. Memory grows with tasks.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "session/sched-name.h"

/*
 * The distribution of durations: their number, sum, maximum and quantiles, in memory that does not
 * grow with their number.
 *
 * The first few are kept unchanged, so that quantiles are exact. Further ones go into buckets, of
 * which there are 16 for each power of two; a quantile is then off by 1/16 at most.
 */

#define SPREAD_FEW     8
#define SPREAD_BUCKETS 976

/* A distribution. `struct spread s = { 0 };` is an empty one. */
struct spread {
	uint64_t n, sum_ns, max_ns;
	uint64_t few[SPREAD_FEW]; /* used while n is not larger */
	uint32_t *buckets;        /* NULL: @few contains all durations */
};

void spread_done(struct spread *s);
void spread_add(struct spread *s, uint64_t ns);

/*
 * Returns the smallest duration that is at least as long as @share (0 to 1) of all durations, or 0
 * if there are none.
 */
uint64_t spread_quantile(const struct spread *s, double share);

/* Return the bucket of @ns, and the first duration of a bucket. */
size_t spread_bucket(uint64_t ns);
uint64_t spread_bucket_first(size_t bucket);

/*
 * Returns the number of durations from @first_ns to before @end_ns, which are powers of two or 0.
 */
uint64_t spread_count(const struct spread *s, uint64_t first_ns, uint64_t end_ns);

enum task_time {
	TASK_DELAY,
	TASK_SLEEP,
	TASK_RUN,
};
#define TASK_TIMES (TASK_RUN + 1)

enum task_doing {
	TASK_UNSEEN,
	TASK_RUNS,
	TASK_WANTS_CPU,
	TASK_SLEEPS,
};

struct timed_task {
	uint32_t tid;
	struct sched_name name;
	enum task_doing doing;
	uint64_t since_ns;
	struct spread times[TASK_TIMES];
};

/* A table of tasks. `struct task_times t = { 0 };` is an empty one. */
struct task_times {
	struct u64_map by_tid;
	struct {
		struct timed_task **items; /* in order of appearance */
		size_t n, room;
	} tasks;
	uint64_t unmatched; /* times with an end but without a beginning */
};

void task_times_done(struct task_times *t);

/* Takes switches and wake-ups. Other events are ignored. */
void task_times_take(struct task_times *t, const struct sched_event *e);

/* Notes that from now on @tid is a new task. */
void task_times_forget(struct task_times *t, uint32_t tid);

/*
 * Returns the tasks that have any time, sorted by their total wait for CPUs, the longest first. The
 * caller frees the array, not the tasks.
 */
const struct timed_task **task_times_sorted(const struct task_times *t, size_t *ret_n);
