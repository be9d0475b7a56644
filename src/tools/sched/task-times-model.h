/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How long each task waits for a CPU, sleeps and runs: not only on average, but how these times
 * spread.
 *
 * A task waits for a CPU (delay) from its wake-up, or from when it was preempted, until it runs; it
 * sleeps from when it leaves a CPU until it is woken. A time whose beginning or end was not
 * recorded does not count. Memory grows with tasks.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "session/sched-name.h"

/*
 * How durations spread: their number, sum, maximum and quantiles, in memory that does not grow with
 * their number.
 *
 * The first few are kept as they are, so that quantiles are exact; more go into buckets, of which
 * there are 16 for each power of two. A quantile is then off by 1/16 at most.
 */

#define SPREAD_FEW     8
#define SPREAD_BUCKETS 976

/* `struct spread s = { 0 };` is empty. */
struct spread {
	uint64_t n, sum_ns, max_ns;
	uint64_t few[SPREAD_FEW]; /* while n is not larger */
	uint32_t *buckets;        /* NULL: the few are all */
};

void spread_done(struct spread *s);
void spread_add(struct spread *s, uint64_t ns);

/* The smallest duration that @share (0 to 1) of all are not longer than; 0 if there are none. */
uint64_t spread_quantile(const struct spread *s, double share);

/* The bucket of @ns, and the first duration of a bucket. */
size_t spread_bucket(uint64_t ns);
uint64_t spread_bucket_first(size_t bucket);

/* How many durations are from @first_ns on and below @end_ns, which are powers of two or 0. */
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

/* `struct task_times t = { 0 };` is empty. */
struct task_times {
	struct u64_map by_tid;
	struct {
		struct timed_task **items; /* those that came first are first */
		size_t n, room;
	} tasks;
	uint64_t unmatched; /* times that have an end and no beginning */
};

void task_times_done(struct task_times *t);

/* Takes switches and wake-ups; others are passed over. */
void task_times_take(struct task_times *t, const struct sched_event *e);

/* From now on @tid is another task than before. */
void task_times_forget(struct task_times *t, uint32_t tid);

/*
 * The tasks that have any time, those first that waited longest for CPUs in all. The caller frees
 * the array, not the tasks.
 */
const struct timed_task **task_times_sorted(const struct task_times *t, size_t *ret_n);
