/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the caller that wants a lock in a stack that begins inside the functions of locks.
 *
 * The first frames are skipped, and all frames in the kernel's .sched.text and .spinlock.text,
 * which contain the slow paths of locks. The first function after them is the caller.
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

/* The address ranges of the functions of locks. In `struct lock_code c = { 0 };` there are none. */
struct lock_code {
	struct {
		uint64_t start, end;
	} ranges[2];
};

/* Looks up the functions of locks in @names. */
void lock_code_find(struct lock_code *c, const struct lock_names *names);

/*
 * Returns a key for the frames of @s from the caller on, without the first @skip frames. Linux's
 * perf distinguishes stacks by the same key. Different stacks may share it.
 */
uint64_t lock_stack_key(const struct lock_code *c, const struct lock_stack *s, size_t skip);

/*
 * Returns the name of the caller, in @arena: "mutex_lock+0x84", or "Unknown". @pid is the process
 * to which user-space frames belong.
 */
const char *lock_stack_caller(const struct lock_code *c, const struct lock_names *names,
			      const struct lock_stack *s, size_t skip, uint32_t pid,
			      struct arena *arena);
