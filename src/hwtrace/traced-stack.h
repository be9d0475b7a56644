/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stack of a thread as its calls and returns tell it, and its last branches: call chains and
 * branch stacks for samples that are decoded from a trace of branches.
 *
 * `struct traced_stack s = { 0 };` is empty. A trace begins somewhere in a program, so the
 * outermost functions may be missing.
 */
#include <stddef.h>
#include <stdint.h>

struct traced_stack {
	uint64_t *items; /* return addresses, the outermost first */
	size_t n, room;
	uint64_t (*last)[2]; /* from and to of the last branches: a ring */
	size_t n_last, at_last, last_max;
};

/* @last_max: as many branches are kept; 0: none. */
void traced_stack_init(struct traced_stack *s, size_t last_max);
void traced_stack_done(struct traced_stack *s);

/*
 * A branch of an instruction of @length bytes at @from. @flags: AUX_FLAG_*; calls and returns
 * among them change the stack.
 */
void traced_stack_branch(struct traced_stack *s, uint64_t from, uint64_t to, size_t length,
			 uint32_t flags);

/* The trace was interrupted: nothing is known any more. */
void traced_stack_clear(struct traced_stack *s);

/*
 * Writes the chain of a sample at @ip, as the kernel would have: a marker of the mode, @ip, and the
 * return addresses, innermost first; at most @max words. Returns how many.
 */
size_t traced_stack_chain(const struct traced_stack *s, uint64_t ip, uint64_t *ret, size_t max);

/* Writes the last branches, newest first: from, to and 0. Returns the number of branches. */
size_t traced_stack_last(const struct traced_stack *s, uint64_t *ret);
