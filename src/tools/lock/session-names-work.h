/* SPDX-License-Identifier: MIT */
#pragma once
/* Names for the models of locks from a session: a recording, or ring buffers. */
#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/u64-map.h"
#include "tools/lock/names-model.h"

struct delivered;
struct session;
struct user_locks;

struct lock_session_names {
	const struct session *session;
	/*
	 * A thread has only the name from its own COMM record, and does not inherit that of its
	 * parent, as in the tables of locks of Linux's perf.
	 */
	bool own_names_only;
	struct user_locks *user; /* for names of user-space addresses; or NULL; borrowed */
	struct u64_map comms;    /* texts by thread */
	struct intern texts;
};

void lock_session_names_done(struct lock_session_names *n);

/* Takes a record of a thread's name, PERF_RECORD_COMM. */
void lock_session_names_take(struct lock_session_names *n, const struct delivered *d);

/* Returns the callbacks, which borrow @n. Its session may be set later. */
struct lock_names lock_session_names(struct lock_session_names *n);
