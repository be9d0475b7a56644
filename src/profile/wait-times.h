/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where threads spend their time: how long each waits, with the stack and state it began to wait
 * with and the stack of the thread that woke it; and how long it runs.
 *
 * The state machine behind off-CPU and wall-clock pictures. It is told what happens, in order of
 * time. Stacks are numbers that mean nothing here. Times are added up by what is distinct: memory
 * grows with threads and distinct stacks.
 *
 * A wait ends when the thread gets a CPU. If the thread was woken before that, the wait is divided
 * at that moment: from then on it was runnable. A wait that has not ended counts up to the end of
 * the recording. One whose beginning or end was not seen does not count, as nobody knows how long
 * it was; it is only counted.
 *
 * Times of running are measured from switch to switch and divided among the CPU samples of that
 * thread, in proportion to what these weigh. So they are exact as a whole, however few the samples.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/u64-map.h"
#include "profile/contexts.h"
#include "session/task-state.h"

struct time_span;

/* No stack is known: nothing is added up under it. */
#define WAIT_NO_STACK UINT32_MAX

/* How a thread spends its time. The first ones are those of enum task_state. */
enum wait_state {
	WAIT_RUNNABLE = TASK_STATE_RUNNABLE,
	WAIT_SLEEPING = TASK_STATE_SLEEPING,
	WAIT_BLOCKED = TASK_STATE_BLOCKED,
	WAIT_STOPPED = TASK_STATE_STOPPED,
	WAIT_DEAD = TASK_STATE_DEAD, /* is no waiting */
	WAIT_OF_ANY_KIND,            /* the recording does not tell states */
	WAIT_RUNNING,                /* is no waiting */
	/* Of these the stack is not known: it is any other of the thread. */
	WAIT_FROM_BEFORE,    /* the recording began while it waited */
	WAIT_FIRST_CPU,      /* the thread is new: it is runnable */
	WAIT_RUNNING_UNSEEN, /* and no sample tells where */
};

struct wait_times_options {
	const struct time_span *spans; /* only these times count; NULL: all */
	size_t n_spans;
	uint64_t min_ns, max_ns; /* only waits of that length count; 0: no limit */
	bool with_running;       /* all of a thread's time: also what it runs, and waits that are
				    known only by their end */
};

/* Time that was spent in the same way. */
struct wait_time {
	uint32_t stack;
	enum wait_state state;
	uint32_t waker; /* the stack that ended it; WAIT_NO_STACK: not known */
	uint64_t ns;
	uint64_t count; /* waits, or CPU samples */
};

struct wait_counts {
	uint64_t waits;     /* that were added up */
	uint64_t unended;   /* of these, that lasted up to the end of the recording */
	uint64_t unbegun;   /* a thread came back that was not seen leaving */
	uint64_t lost_ends; /* a thread left again without having been seen coming back */
	uint64_t unfit;     /* waits that min_ns and max_ns leave out */
	uint64_t backwards; /* times that are before those already told */
};

struct wait_thread;

struct wait_times {
	struct wait_times_options options;
	struct u64_map threads;
	struct contexts keys; /* stack, state and waker; of running: the thread instead of the waker
			       */
	struct {
		struct wait_time *items; /* by number of the key; of running, ns is a weight */
		size_t n, room;
	} times;
	struct wait_counts counts;
	uint64_t begin, end; /* of the recording: the first and the last time that was told */
};

/* @o is copied, its spans are borrowed. */
void wait_times_init(struct wait_times *w, const struct wait_times_options *o);
void wait_times_done(struct wait_times *w);

/* At @time, @thread leaves its CPU in @state, with @stack. */
void wait_times_out(struct wait_times *w, uint32_t thread, uint64_t time, enum wait_state state,
		    uint32_t stack);

/* Whether @thread waits and was not woken yet: otherwise wait_times_wake() has no effect. */
bool wait_times_can_wake(const struct wait_times *w, uint32_t thread);

/* Somebody wakes @thread, with the stack @waker. */
void wait_times_wake(struct wait_times *w, uint32_t thread, uint64_t time, uint32_t waker);

/* @thread gets a CPU. */
void wait_times_in(struct wait_times *w, uint32_t thread, uint64_t time);

/* @thread begins to exist, and waits for its first CPU. */
void wait_times_fork(struct wait_times *w, uint32_t thread, uint64_t time);

/*
 * @thread ends. What is told of it afterwards does not count, until another thread with that number
 * is forked.
 */
void wait_times_exit(struct wait_times *w, uint32_t thread, uint64_t time);

/* @thread, which runs, was sampled with @stack. */
void wait_times_sample(struct wait_times *w, uint32_t thread, uint64_t time, uint32_t stack,
		       uint64_t weight);

/*
 * Ends what has not ended and divides the times of running. Nothing may be told any more; w->times
 * are complete then.
 */
void wait_times_finish(struct wait_times *w);
