/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts waits for locks of user space in addition to those of the kernel, from events of a
 * recording or of ring buffers. Without --user these functions do nothing.
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

/* The names of the events, in the order of recording. */
#define LOCK_FUTEX_ENTER "syscalls:sys_enter_futex"
#define LOCK_FUTEX_EXIT  "syscalls:sys_exit_futex"

/* The state. It begins as `struct lock_futexes f = { .job = j };`. */
struct lock_futexes {
	const struct lock_job *job;
	struct futex_events *events; /* NULL: not requested */
	struct user_locks *user;
};

/*
 * Binds the events of @s. From now on @names has names of user space. Returns -ENODATA with the
 * job's diag if there are no such events.
 */
int lock_futexes_begin(struct lock_futexes *f, const struct session *s,
		       struct lock_session_names *names);
void lock_futexes_done(struct lock_futexes *f);

bool lock_futexes_want(const struct lock_futexes *f, const struct session_event *e);
void lock_futexes_take(struct lock_futexes *f, const struct sample_batch *b);

/* Adds the waits that were found to @m, and reports what is missing. */
void lock_futexes_finish(struct lock_futexes *f, struct lock_contention *m);
