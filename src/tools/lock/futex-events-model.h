/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Waits for futexes out of a recording: syscalls:sys_enter_futex to sys_exit_futex of a thread.
 *
 * They are added up by process, address, call and stack while they are read, and named at the end,
 * when everything that processes have mapped is known. Memory grows with distinct stacks and
 * threads.
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
	bool by_task;   /* waits of different threads are kept apart */
	bool by_cgroup; /* and those of different cgroups */
	size_t max_stack;
};

struct futex_events *futex_events_new(const struct futex_events_options *o);
void futex_events_free(struct futex_events *f);
DEFINE_FREEP(futex_events)

/* Binds the events of @s, which is borrowed. */
void futex_events_bind(struct futex_events *f, const struct session *s);

/* Is @e one of the futex events? */
bool futex_events_want(const struct futex_events *f, const struct session_event *e);

/* Was a futex event recorded at all? */
bool futex_events_there(const struct futex_events *f);

/* Takes @s if it is one of theirs. */
void futex_events_take(struct futex_events *f, const struct session_sample *s);

/* What was not counted. */
struct futex_events_rest {
	uint64_t conditions; /* waits for conditions, which no filter asked for */
	uint64_t unended;    /* begins without an end */
};

/* Adds all waits to @m: as futex_waits_add(). */
struct futex_events_rest futex_events_finish(struct futex_events *f, struct user_locks *u,
					     const struct lock_filters *filters,
					     struct lock_contention *m);

/*
 * Waits for futexes, which become waits for locks of user space once their stack has told what they
 * are (tools/lock/user-locks-model.h).
 */

/* Waits for a futex: one, or the sums of those that have process, address, call and stack alike. */
struct futex_waits {
	struct futex_wait wait;
	uint32_t tid;  /* who waits; with @of_owner, who has it */
	bool of_owner; /* rows are of owners, whose stacks are not known */
	uint64_t addr;
	uint64_t cgroup;
	uint64_t contended;
	uint64_t total_ns, max_ns, min_ns;
};

/*
 * Adds @w to the rows of @m, unless @f leaves it out: by address or name, or because it is a wait
 * for a condition and no filter asks for these. Returns how many waits for conditions were left
 * out.
 */
uint64_t futex_waits_add(const struct futex_waits *w, struct user_locks *u,
			 const struct lock_filters *f, struct lock_contention *m);
