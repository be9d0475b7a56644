/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Locks of user space, as far as futexes tell: their names, whether somebody waits for a lock or
 * for a condition, and which function of the stack wants it.
 *
 * The kernel knows an address and the operation of futex(2). The variable at the address names the
 * lock. The innermost functions of the stack, those of libc, tell what it is: pthread_cond_wait()
 * waits until something happens, which is no contention. Owners are told by who reads the memory of
 * the lock at that time (tools/lock/lock-bpf.h).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/lock/names-model.h"

struct session;
struct user_locks;

/* Names are asked of @s, which is borrowed. */
struct user_locks *user_locks_new(const struct session *s);
void user_locks_free(struct user_locks *u);
DEFINE_FREEP(user_locks)

/*
 * What lies at @addr of process @pid at the end: a function and where in it, or a variable, as
 * "cache_lock" or "locks+0x50", or a mapping, as "[heap]+0x2a0". The text lives as long as @u.
 * False: it is not known.
 */
bool user_locks_symbol(struct user_locks *u, uint32_t pid, uint64_t addr, struct lock_symbol *ret);

/* What the innermost functions of a stack tell. */
struct user_wait {
	uint32_t flags; /* of tools/lock/type-model.h */
	size_t skip;    /* frames of the library that has the lock: the next one wants it */
};

/* A wait for a futex, as futex(2) was called. */
struct futex_wait {
	uint32_t pid;
	uint32_t op;           /* without its flags: FUTEX_WAIT, ... */
	uint32_t value;        /* that the futex must have */
	const uint64_t *stack; /* innermost first; or NULL */
	size_t n_stack;
};

/* Does @op, with its flags, wait? */
bool futex_op_waits(uint32_t op);

/* Looks at the stack of @w, whose frames are named by user_locks_symbol(). */
struct user_wait user_locks_wait(struct user_locks *u, const struct futex_wait *w);
