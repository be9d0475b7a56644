/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The activities of a task in an interval of time, and the tasks for which it waited: its critical
 * path.
 *
 * When the task slept until another one woke it, the activities of that other one during the sleep
 * explain the time; when that one slept, those of its waker do, and so on. The leaves of this tree
 * are a path through the tasks whose times add up exactly to the interval. The tree sums them up by
 * waiting task and waker.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wakes;

enum wake_doing {
	WAKE_RUNS,
	WAKE_WAITS_FOR_CPU,
	WAKE_SLEEPS,  /* until an interrupt, for an unknown reason, or too deep in the tree */
	WAKE_NOT_YET, /* it had not begun, had ended, or was not seen yet */
};
#define WAKE_DOINGS (WAKE_NOT_YET + 1)

/* A part of the path. */
struct wake_step {
	uint64_t from_ns, to_ns;
	uint32_t task; /* index in wakes.tasks */
	unsigned depth;
	enum wake_doing doing;
	uint32_t waker; /* for WAKE_SLEEPS: an index, WAKER_INTERRUPT or WAKER_UNKNOWN */
};

/* A task for which another one, its parent in the tree, waits. */
struct wake_node {
	uint32_t task;  /* an index, WAKER_INTERRUPT or WAKER_UNKNOWN */
	uint32_t child; /* the first; 0: none */
	uint32_t next;  /* the next with the same parent; 0: none */
	uint64_t count; /* the number of waits */
	uint64_t ns;    /* total; equal to its own doing plus the children */
	uint64_t doing_ns[WAKE_DOINGS];
};

struct wake_path {
	struct {
		struct wake_node *items; /* the first is the root */
		size_t n, room;
	} nodes;
	struct {
		struct wake_step *items; /* in order of time */
		size_t n, room;
	} steps;
};

/*
 * Makes the path of task @task from @from_ns to @to_ns. Sleeps are explained at most @depth levels
 * deep. @with_steps: makes the steps too, not only the tree. Children of a node are sorted by the
 * time waited for them, the longest first.
 */
void wake_path_make(const struct wakes *w, uint32_t task, uint64_t from_ns, uint64_t to_ns,
		    unsigned depth, bool with_steps, struct wake_path *ret);
void wake_path_done(struct wake_path *p);
