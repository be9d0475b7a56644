/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a thread waits for, as far as its state and the functions of its stack tell.
 *
 * The state alone says little: a mutex of the kernel and a disk are both uninterruptible. The
 * functions of the stack are therefore looked up in a table (profile/wait-functions.def), from the
 * innermost outwards; the first that is there decides. A futex is taken for a lock unless a
 * function further out says that it is something else, such as a condition variable. Waits for
 * which there is no evidence are called by their state. So sockets, pipes, timers and poll are
 * "sleep".
 */
#include <stdbool.h>

#include "profile/wait-times.h"

enum wait_kind {
	WAIT_KIND_SLEEP,
	WAIT_KIND_IO,
	WAIT_KIND_LOCK,
	WAIT_KIND_RUNNABLE,
	WAIT_KIND_STOPPED,
	WAIT_KIND_BLOCKED, /* uninterruptible, and nothing tells why */
	WAIT_KIND_ANY,     /* the recording does not tell */
	WAIT_KIND_BEFORE,  /* nor could it: it began later */
	WAIT_KIND_RUNNING,
};

/* What a function tells about a wait. */
enum wait_hint {
	WAIT_HINT_NONE,
	WAIT_HINT_IO,
	WAIT_HINT_LOCK,
	WAIT_HINT_FUTEX, /* a lock, unless a function further out tells more */
	WAIT_HINT_SLEEP,
	WAIT_HINT_PREEMPTED, /* no wait: others have the CPU */
	WAIT_HINT_INTERRUPT, /* nothing about a wait: those further out were interrupted */
};

/* Of the function @name; suffixes of compilers and symbol versions do not matter. */
enum wait_hint wait_hint_of(const char *name, bool in_kernel);

/*
 * Takes the hint of the next function outwards: *@hint is what those further in have told. False
 * if no further function changes it.
 */
bool wait_hint_refine(enum wait_hint *hint, enum wait_hint outer);

/* The kind of a wait whose functions tell @hint. */
enum wait_kind wait_kind_of(enum wait_state state, enum wait_hint hint);

/* The word for it: "sleep", "I/O". */
const char *wait_kind_name(enum wait_kind kind);
