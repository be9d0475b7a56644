/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts waits for futexes from a recording: from syscalls:sys_enter_futex to sys_exit_futex of a
 * thread.
 *
 * Waits are added up by process, address, call and stack while they are read, and named at the end,
 * when all mappings of processes are known. Memory grows with distinct stacks and threads.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/lock/user-locks-model.h"

struct futex_events;
struct lock_contention;
struct lock_filters;
struct session;
struct session_event;
struct session_sample;
struct user_locks;

struct futex_events_options {
	bool by_task;   /* keep waits of different threads apart */
	bool by_cgroup; /* also those of different cgroups */
	size_t max_stack;
};

struct futex_events *futex_events_new(const struct futex_events_options *o);
void futex_events_free(struct futex_events *f);
DEFINE_FREEP(futex_events)

/* Binds the events of @s, which is borrowed. */
void futex_events_bind(struct futex_events *f, const struct session *s);

/* True if @e is one of the futex events. */
bool futex_events_want(const struct futex_events *f, const struct session_event *e);

/* True if a futex event was recorded at all. */
bool futex_events_there(const struct futex_events *f);

/* Takes @s if it is a sample of a futex event. */
void futex_events_take(struct futex_events *f, const struct session_sample *s);

/* Waits that were not counted. */
struct futex_events_rest {
	uint64_t conditions; /* waits for conditions, which no filter requested */
	uint64_t unended;    /* begins without an end */
};

/* Adds all waits to @m, as futex_waits_add() does. */
struct futex_events_rest futex_events_finish(struct futex_events *f, struct user_locks *u,
					     const struct lock_filters *filters,
					     struct lock_contention *m);

/*
 * Waits for futexes. They become waits for locks of user space once their stack shows what they are
 * (tools/lock/user-locks-model.h).
 */

/* Waits for a futex: one, or the sums of several with the same process, address, call and stack. */
struct futex_waits {
	struct futex_wait wait;
	uint32_t tid;  /* the waiting thread; with @of_owner, the holder */
	bool of_owner; /* rows are of owners, whose stacks are unknown */
	uint64_t addr;
	uint64_t cgroup;
	uint64_t contended;
	uint64_t total_ns, max_ns, min_ns;
};

/*
 * Adds @w to the rows of @m, unless @f rejects it: by address or name, or because it is a wait for
 * a condition and no filter requests these. Returns the number of rejected waits for conditions.
 */
uint64_t futex_waits_add(const struct futex_waits *w, struct user_locks *u,
			 const struct lock_filters *f, struct lock_contention *m);
