/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The wake-ups of tasks: the history of each task within an interval of time, as moments at which
 * it comes to a CPU, leaves it, or is woken.
 *
 * A moment takes 16 bytes; a context switch makes two moments, a wake-up one. Only those of the
 * interval are kept, and the last one before it. Memory therefore grows with the events of the
 * interval, so that a short one should be chosen for a long recording.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "session/sched-name.h"

enum wake_kind {
	WAKE_ON,        /* it comes to a CPU */
	WAKE_PREEMPTED, /* it leaves although it wants to stay */
	WAKE_ASLEEP,    /* it leaves, and waits for something */
	WAKE_ENDED,     /* it leaves because it ends */
	WAKE_WOKEN,     /* it wants to run again */
};

/* Values for a waker that is not a task: an interrupt, or unknown. */
#define WAKER_INTERRUPT UINT32_MAX
#define WAKER_UNKNOWN   (UINT32_MAX - 1)

struct wake_moment {
	uint64_t time_ns;
	uint32_t waker; /* for WAKE_WOKEN: the index of a task */
	uint16_t cpu;
	uint8_t kind; /* enum wake_kind */
};

struct wake_task {
	uint32_t tid;
	struct sched_name name; /* its last name */
	struct {
		struct wake_moment *items; /* in order of time */
		size_t n, room;
	} moments;
};

/* `struct wakes w = { .from_ns = a, .to_ns = b };` has no task yet; to_ns 0: no end. */
struct wakes {
	uint64_t from_ns, to_ns;
	uint64_t first_ns, last_ns; /* the first and last event within that time */
	struct u64_map by_tid;      /* each maps to index + 1 */
	struct {
		struct wake_task *items;
		size_t n, room;
	} tasks;
};

void wakes_done(struct wakes *w);

/* Takes switches and wake-ups in order of time. Other events are ignored. */
void wakes_take(struct wakes *w, const struct sched_event *e);

/* Notes that from now on @tid is a new task. */
void wakes_forget(struct wakes *w, uint32_t tid);

/* The wake-ups of one task by another one, or by an interrupt. */
struct wake_edge {
	uint32_t waker, woken;
	uint64_t count;
	uint64_t waited_ns; /* the time that the woken task had slept, if known */
};

/* Returns all edges, those that ended the most waiting time first. The caller frees the array. */
struct wake_edge *wakes_edges(const struct wakes *w, size_t *ret_n);
