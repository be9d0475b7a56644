/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Waits for locks of user space beside those of the kernel, for who reads events: of a recording,
 * or of ring buffers. Without --user all of this does nothing.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;
struct futex_events;
struct lock_contention;
struct lock_job;
struct lock_session_names;
struct sample_batch;
struct session;
struct session_event;
struct user_locks;

/* The events, in the order of recording. */
#define LOCK_FUTEX_ENTER "syscalls:sys_enter_futex"
#define LOCK_FUTEX_EXIT  "syscalls:sys_exit_futex"

/* `struct lock_futexes f = { .job = j };` has not begun. */
struct lock_futexes {
	const struct lock_job *job;
	struct futex_events *events; /* NULL: not asked for */
	struct user_locks *user;
};

/*
 * Binds the events of @s; @names has names of user space from now on. -ENODATA with the job's diag:
 * there are none.
 */
int lock_futexes_begin(struct lock_futexes *f, const struct session *s,
		       struct lock_session_names *names);
void lock_futexes_done(struct lock_futexes *f);

bool lock_futexes_want(const struct lock_futexes *f, const struct session_event *e);
void lock_futexes_take(struct lock_futexes *f, const struct sample_batch *b);

/* Adds what was found to @m, and tells what is missing. */
void lock_futexes_finish(struct lock_futexes *f, struct lock_contention *m);
