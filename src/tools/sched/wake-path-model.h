/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a task did in an interval of time, and what it waited for: its critical path.
 *
 * Where the task slept until another one woke it, that one's doings during the sleep explain the
 * time, and where that one slept, those of its waker, and so on. The leaves of this are a path
 * through the tasks, whose times sum up exactly to the interval. A tree has them summed up by who
 * waited for whom.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wakes;

enum wake_doing {
	WAKE_RUNS,
	WAKE_WAITS_FOR_CPU,
	WAKE_SLEEPS,  /* until an interrupt, until nobody knows what, or too deep in the tree */
	WAKE_NOT_YET, /* it had not begun, or had ended, or was not seen yet */
};
#define WAKE_DOINGS (WAKE_NOT_YET + 1)

/* A part of the path. */
struct wake_step {
	uint64_t from_ns, to_ns;
	uint32_t task; /* index in wakes.tasks */
	unsigned depth;
	enum wake_doing doing;
	uint32_t waker; /* of WAKE_SLEEPS: an index, WAKER_INTERRUPT or WAKER_UNKNOWN */
};

/* A task that another one, its parent, waits for. */
struct wake_node {
	uint32_t task;  /* or WAKER_INTERRUPT, WAKER_UNKNOWN */
	uint32_t child; /* the first; 0: none */
	uint32_t next;  /* of the same parent; 0: none */
	uint64_t count; /* of waits */
	uint64_t ns;    /* in all; that of doing and of the children is the same */
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
 * The path of task @task from @from_ns to @to_ns, with sleeps explained @depth times. @with_steps:
 * not only the tree. The children of each node are those first that were waited for longest.
 */
void wake_path_make(const struct wakes *w, uint32_t task, uint64_t from_ns, uint64_t to_ns,
		    unsigned depth, bool with_steps, struct wake_path *ret);
void wake_path_done(struct wake_path *p);
