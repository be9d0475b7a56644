/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Computes the number of runnable tasks, which run or wait for their turn, on each CPU and in the
 * whole machine, over time.
 *
 * A task counts from its wake-up until it leaves its CPU to sleep or end, and moves with its
 * migrations. A CPU is known from its first context switch on. Tasks that have been waiting since
 * before the recording are unknown until they run; their number is counted (late), with the time of
 * the last one. A task whose leaving was not seen, because events were lost, counts until its CPU
 * switches again. Memory grows with tasks, CPUs and intervals. There are at most as many intervals
 * as requested: in a longer recording, two intervals are merged into one.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"

struct sched_event;

/* The number of distinct lengths. The last one stands for all greater lengths too. */
#define QUEUE_LENGTHS 16

/* The queue of a CPU, or of all CPUs. */
struct queue_line {
	uint64_t first_ns, last_ns; /* the time for which it is known; 0: unknown */
	uint32_t length, max;
	uint32_t running;              /* on one CPU: the thread that came last; 0: none */
	uint64_t sum;                  /* the sum of length times nanoseconds */
	uint64_t at_ns[QUEUE_LENGTHS]; /* the time for which it had that length */
	struct {
		double *items; /* by interval: length times nanoseconds */
		size_t n, room;
	} intervals;
};

struct queue_options {
	uint64_t interval_ns; /* 0: chosen to give at most max_intervals */
	size_t max_intervals; /* the number is reduced if there are very many CPUs */
};

/* Usage: `struct sched_queue q; sched_queue_init(&q, &options);` */
struct sched_queue {
	uint64_t begin_ns; /* the first event; 0: none yet */
	uint64_t end_ns;
	uint64_t interval_ns;
	size_t max_intervals;
	size_t n_known; /* the number of CPUs seen so far */
	struct {
		struct queue_line *items; /* by CPU */
		size_t n, room;
	} cpus;
	struct queue_line all;
	struct u64_map by_tid;
	struct {
		struct queue_task **items;
		size_t n, room;
	} tasks;
	uint64_t late;         /* tasks found to have waited without being seen */
	uint64_t last_late_ns; /* the time at which the last of them was found */
	uint64_t vanished;     /* tasks whose leaving was not seen */
};

void sched_queue_init(struct sched_queue *q, const struct queue_options *o);
void sched_queue_done(struct sched_queue *q);

/* Takes switches, wake-ups and migrations in order of time. Other events are ignored. */
void sched_queue_take(struct sched_queue *q, const struct sched_event *e);

/* Ends the input. The lengths hold until the last event. */
void sched_queue_end(struct sched_queue *q);

/* Returns the mean length of @l while it is known, or 0 if it is not. */
double queue_line_mean(const struct queue_line *l);

/* Returns the mean length of @l in interval @i, counted from the beginning of the recording. */
double queue_line_interval(const struct sched_queue *q, const struct queue_line *l, size_t i);

/* Returns the number of intervals. */
size_t sched_queue_intervals(const struct sched_queue *q);
