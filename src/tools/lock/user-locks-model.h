/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Locks of user space, as far as futexes reveal them: their names, whether a thread waits for a
 * lock or for a condition, and the function of the stack that wants the lock.
 *
 * The kernel knows an address and the operation of futex(2). The variable at the address names the
 * lock. The innermost functions of the stack, those of libc, show what it is: pthread_cond_wait()
 * waits for an event, which is not contention. Owners come from the code that reads the memory of
 * the lock at that time (tools/lock/lock-bpf.h).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/lock/names-model.h"

struct session;
struct user_locks;

/* Names are looked up in @s, which is borrowed. */
struct user_locks *user_locks_new(const struct session *s);
void user_locks_free(struct user_locks *u);
DEFINE_FREEP(user_locks)

/*
 * Finds what lies at @addr of process @pid at the end: a function and the offset in it; or a
 * variable, as "cache_lock" or "locks+0x50"; or a mapping, as "[heap]+0x2a0". The text lives as
 * long as @u. False: it is not known.
 */
bool user_locks_symbol(struct user_locks *u, uint32_t pid, uint64_t addr, struct lock_symbol *ret);

/* The properties of a wait that the innermost functions of its stack reveal. */
struct user_wait {
	uint32_t flags; /* as in tools/lock/type-model.h */
	size_t skip;    /* frames of the lock's library; the next one wants the lock */
};

/* A wait for a futex: the arguments of futex(2). */
struct futex_wait {
	uint32_t pid;
	uint32_t op;           /* without its flags: FUTEX_WAIT, ... */
	uint32_t value;        /* the expected value of the futex */
	const uint64_t *stack; /* innermost first; or NULL */
	size_t n_stack;
};

/* True if @op, which includes its flags, waits. */
bool futex_op_waits(uint32_t op);

/* Examines the stack of @w, whose frames are named by user_locks_symbol(). */
struct user_wait user_locks_wait(struct user_locks *u, const struct futex_wait *w);
