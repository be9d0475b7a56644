/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names for counts of the running kernel: its functions and locks, tasks, cgroups, and, for
 * futexes, the names in user_locks.
 */
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/lock/names-model.h"

struct bpf_lock;
struct diag;
struct lock_live_names;
struct session;
struct symbol_request;
struct user_locks;

/*
 * Reads the kernel's symbols, and the names of cgroups if @with_cgroups. The kernel hides its
 * symbols from ordinary users; then there are no names. Errors with @diag: a requested file cannot
 * be read.
 */
int lock_live_names_new(const struct symbol_request *rq, bool with_cgroups,
			struct lock_live_names **ret, struct diag *diag);
void lock_live_names_free(struct lock_live_names *n);
DEFINE_FREEP(lock_live_names)

/*
 * From now on, addresses of user space are named by @u, and tasks that have ended by @s. Both are
 * borrowed.
 */
void lock_live_names_user(struct lock_live_names *n, struct user_locks *u, const struct session *s);

/* Names interpreted functions by @l, which is borrowed and may be NULL. */
void lock_live_names_interpreted(struct lock_live_names *n, const struct bpf_lock *l);

/*
 * Keeps the name of the task @tid of @pid: the name in /proc, or, if the task has ended, @comm,
 * unless that is "".
 */
void lock_live_names_comm(struct lock_live_names *n, uint32_t pid, uint32_t tid, const char *comm);

/* Gives the kernel's lock at @addr the name @name, unless it has a symbol. */
void lock_live_names_lock(struct lock_live_names *n, uint64_t addr, const char *name);

/* Returns the callbacks for a model. */
struct lock_names lock_live_names(struct lock_live_names *n);

/*
 * Returns the number of frames of a kernel stack, read by a BPF program at a tracepoint, that
 * belong to the program and the code that runs it.
 */
size_t lock_live_names_skip(struct lock_live_names *n, const uint64_t *stack, size_t n_stack);
