/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Computes where threads spend their time: how long each waits, with the stack and state with which
 * the wait began and the stack of the thread that woke it; and how long it runs.
 *
 * This is the state machine for off-CPU and wall-clock pictures. Events are given to it in order of
 * time. Stacks are numbers that have no meaning here. Times with the same values are added up:
 * memory grows with the number of threads and distinct stacks.
 *
 * A wait ends when the thread gets a CPU. If the thread was woken before that, the wait is divided
 * at that moment: from then on it was runnable. A wait that has not ended lasts up to the end of
 * the recording. The time of a wait whose beginning or end was not seen is not added, since its
 * length is unknown; only the number of such waits is counted.
 *
 * Times of running are measured from switch to switch and divided among the CPU samples of that
 * thread, in proportion to their weights. So they are exact as a whole, however few samples there
 * are.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/u64-map.h"
#include "base/contexts.h"
#include "session/task-state.h"

struct time_span;

/* No stack is known, so no time is added up for it. */
#define WAIT_NO_STACK UINT32_MAX

/* The states in which a thread spends its time. The first ones are those of enum task_state. */
enum wait_state {
	WAIT_RUNNABLE = TASK_STATE_RUNNABLE,
	WAIT_SLEEPING = TASK_STATE_SLEEPING,
	WAIT_BLOCKED = TASK_STATE_BLOCKED,
	WAIT_STOPPED = TASK_STATE_STOPPED,
	WAIT_DEAD = TASK_STATE_DEAD, /* not a wait */
	WAIT_OF_ANY_KIND,            /* the recording does not have states */
	WAIT_RUNNING,                /* not a wait */
	/* The stack is not known for these: any other stack of the thread is used. */
	WAIT_FROM_BEFORE,    /* the recording began while it waited */
	WAIT_FIRST_CPU,      /* the thread is new: it is runnable */
	WAIT_RUNNING_UNSEEN, /* no sample shows where it ran */
};

struct wait_times_options {
	const struct time_span *spans; /* only these times count; NULL: all times */
	size_t n_spans;
	uint64_t min_ns, max_ns; /* only waits of this length count; 0: no limit */
	/*
	 * count all of a thread's time: also when it runs, and waits of which only the end is known
	 */
	bool with_running;
};

/* Time that was spent in the same way. */
struct wait_time {
	uint32_t stack;
	enum wait_state state;
	uint32_t waker; /* the stack that ended the wait; WAIT_NO_STACK: not known */
	uint64_t ns;
	uint64_t count; /* number of waits, or of CPU samples */
};

struct wait_counts {
	uint64_t waits;     /* waits that were added up */
	uint64_t unended;   /* of these, waits that lasted up to the end of the recording */
	uint64_t unbegun;   /* a thread came back but was not seen leaving */
	uint64_t lost_ends; /* a thread left again but was not seen coming back */
	uint64_t unfit;     /* waits that min_ns and max_ns exclude */
	uint64_t backwards; /* times before an earlier event's */
};

struct wait_thread;

struct wait_times {
	struct wait_times_options options;
	struct u64_map threads;
	/* stack, state and waker; when running: the thread instead of the waker */
	struct contexts keys;
	struct {
		struct wait_time *items; /* by number of the key; when running, ns is a weight */
		size_t n, room;
	} times;
	struct wait_counts counts;
	uint64_t begin, end; /* first and last time of the recording's events */
};

/* Initialises @w. @o is copied, its spans are borrowed. */
void wait_times_init(struct wait_times *w, const struct wait_times_options *o);
void wait_times_done(struct wait_times *w);

/* Takes the event that @thread leaves its CPU at @time in @state, with @stack. */
void wait_times_out(struct wait_times *w, uint32_t thread, uint64_t time, enum wait_state state,
		    uint32_t stack);

/* True if @thread waits and was not woken yet; otherwise wait_times_wake() has no effect. */
bool wait_times_can_wake(const struct wait_times *w, uint32_t thread);

/* Takes the event that @thread is woken, with the waker's stack @waker. */
void wait_times_wake(struct wait_times *w, uint32_t thread, uint64_t time, uint32_t waker);

/* Takes the event that @thread gets a CPU. */
void wait_times_in(struct wait_times *w, uint32_t thread, uint64_t time);

/* Takes the event that @thread begins to exist, and waits for its first CPU. */
void wait_times_fork(struct wait_times *w, uint32_t thread, uint64_t time);

/*
 * Takes the event that @thread ends. Later events of it are ignored, until another thread with that
 * number is forked.
 */
void wait_times_exit(struct wait_times *w, uint32_t thread, uint64_t time);

/* Takes the event that @thread, which runs, was sampled with @stack. */
void wait_times_sample(struct wait_times *w, uint32_t thread, uint64_t time, uint32_t stack,
		       uint64_t weight);

/*
 * Ends waits that have not ended, and divides the times of running. No events may be given
 * afterwards; w->times are then complete.
 */
void wait_times_finish(struct wait_times *w);
