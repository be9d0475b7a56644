/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Who wants a lock, in a stack that begins inside the functions of locks.
 *
 * The first frames are skipped, and all that lie in the kernel's .sched.text and .spinlock.text,
 * where the slow paths of locks are. The first function behind is the caller.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lock/names-model.h"

struct arena;

struct lock_stack {
	const uint64_t *ips; /* innermost first */
	size_t n;
};

/* `struct lock_code c = { 0 };` knows nothing: no function is one of locks. */
struct lock_code {
	struct {
		uint64_t start, end;
	} ranges[2];
};

/* Asks @names where the functions of locks are. */
void lock_code_find(struct lock_code *c, const struct lock_names *names);

/*
 * A number for the frames of @s from the caller on, of which @skip are passed over: the one by
 * which Linux's perf tells stacks from each other. Stacks that differ may share it.
 */
uint64_t lock_stack_key(const struct lock_code *c, const struct lock_stack *s, size_t skip);

/*
 * The name of the caller, in @arena: "mutex_lock+0x84", or "Unknown". @pid is the process whose
 * user space frames may be of.
 */
const char *lock_stack_caller(const struct lock_code *c, const struct lock_names *names,
			      const struct lock_stack *s, size_t skip, uint32_t pid,
			      struct arena *arena);
