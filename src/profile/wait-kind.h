/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The reason of a thread's wait, as far as its state and the functions of its stack show it.
 *
 * The state alone shows little: waits for a mutex of the kernel and for a disk are both
 * uninterruptible. So the functions of the stack are looked up in a table
 * (profile/wait-functions.def), from the innermost outwards; the first one that is found decides. A
 * futex is taken for a lock unless a function further out shows that it is something else, such as
 * a condition variable. Waits for which there is no evidence are named after their state. So waits
 * for sockets, pipes, timers and poll are "sleep".
 */
#include <stdbool.h>

#include "profile/wait-times.h"

enum wait_kind {
	WAIT_KIND_SLEEP,
	WAIT_KIND_IO,
	WAIT_KIND_LOCK,
	WAIT_KIND_RUNNABLE,
	WAIT_KIND_STOPPED,
	WAIT_KIND_BLOCKED, /* uninterruptible, for an unknown reason */
	WAIT_KIND_ANY,     /* the recording does not show it */
	WAIT_KIND_BEFORE,  /* began before the recording, which cannot show it */
	WAIT_KIND_RUNNING,
};

/* The hint that a function gives about a wait. */
enum wait_hint {
	WAIT_HINT_NONE,
	WAIT_HINT_IO,
	WAIT_HINT_LOCK,
	WAIT_HINT_FUTEX, /* a lock, unless a function further out shows another reason */
	WAIT_HINT_SLEEP,
	WAIT_HINT_PREEMPTED, /* no wait: other threads have the CPU */
	WAIT_HINT_INTERRUPT, /* no hint: the functions further out were interrupted */
};

/*
 * Returns the hint of the function @name; suffixes of compilers and symbol versions do not matter.
 */
enum wait_hint wait_hint_of(const char *name, bool in_kernel);

/*
 * Adds the hint of the next function outwards to *@hint, which comes from the functions further in.
 * Returns false if no further function can change it.
 */
bool wait_hint_refine(enum wait_hint *hint, enum wait_hint outer);

/* Returns the kind of a wait whose functions hint at @hint. */
enum wait_kind wait_kind_of(enum wait_state state, enum wait_hint hint);

/* Returns the word for @kind: "sleep", "I/O". */
const char *wait_kind_name(enum wait_kind kind);
