/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How many tasks are runnable, running or waiting for their turn, on each CPU and in the whole
 * machine, over time.
 *
 * A task counts from its wake-up until it leaves its CPU to sleep or end, and moves with its
 * migrations. A CPU is known from its first context switch on. Tasks that wait from before the
 * recording are not known until they run: these are counted (late), with the time of the last. A
 * task that left unseen, because events were lost, counts until its CPU switches again.
 * Memory grows with tasks, CPUs and intervals, of which there are at most as many as asked for:
 * where the recording is longer, two become one.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"

struct sched_event;

/* Lengths from here on are one. */
#define QUEUE_LENGTHS 16

/* What is known of a CPU, or of all. */
struct queue_line {
	uint64_t first_ns, last_ns; /* the time it is known for; 0: it is not */
	uint32_t length, max;
	uint32_t running;              /* of a CPU: the thread that came last; 0: none */
	uint64_t sum;                  /* length times nanoseconds */
	uint64_t at_ns[QUEUE_LENGTHS]; /* how long it had that length */
	struct {
		double *items; /* by interval: length times nanoseconds */
		size_t n, room;
	} intervals;
};

struct queue_options {
	uint64_t interval_ns; /* 0: chosen so that there are at most max_intervals */
	size_t max_intervals; /* fewer if there are very many CPUs */
};

/* `struct sched_queue q; sched_queue_init(&q, &options);` */
struct sched_queue {
	uint64_t begin_ns; /* the first event; 0: none yet */
	uint64_t end_ns;
	uint64_t interval_ns;
	size_t max_intervals;
	size_t n_known; /* CPUs */
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
	uint64_t late;         /* tasks that turned out to have waited unseen */
	uint64_t last_late_ns; /* when the last of them did */
	uint64_t vanished;     /* tasks that left their CPU, but nobody saw it */
};

void sched_queue_init(struct sched_queue *q, const struct queue_options *o);
void sched_queue_done(struct sched_queue *q);

/* Takes switches, wake-ups and migrations in order of time; others are passed over. */
void sched_queue_take(struct sched_queue *q, const struct sched_event *e);

/* The last event was taken: the lengths hold until then. */
void sched_queue_end(struct sched_queue *q);

/* The mean length of @l while it is known; 0 if it is not. */
double queue_line_mean(const struct queue_line *l);

/* The mean length of @l in interval @i, counted from the begin of the recording. */
double queue_line_interval(const struct sched_queue *q, const struct queue_line *l, size_t i);

/* How many intervals there are. */
size_t sched_queue_intervals(const struct sched_queue *q);
