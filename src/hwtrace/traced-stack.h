/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stack of a thread, derived from its calls and returns, and its last branches: call chains and
 * branch stacks for samples that are decoded from a trace of branches.
 *
 * `struct traced_stack s = { 0 };` is empty. A trace begins anywhere in a program, so the outermost
 * functions may be missing.
 */
#include <stddef.h>
#include <stdint.h>

struct traced_stack {
	uint64_t *items; /* return addresses, the outermost first */
	size_t n, room;
	uint64_t (*last)[2]; /* from and to of the last branches: a circular buffer */
	size_t n_last, at_last, last_max;
};

/* Prepares @s. @last_max: the number of branches that are kept; 0: none. */
void traced_stack_init(struct traced_stack *s, size_t last_max);
void traced_stack_done(struct traced_stack *s);

/*
 * Adds a branch of an instruction of @length bytes at @from. @flags: AUX_FLAG_*; calls and returns
 * change the stack.
 */
void traced_stack_branch(struct traced_stack *s, uint64_t from, uint64_t to, size_t length,
			 uint32_t flags);

/* Clears the stack because the trace was interrupted: nothing is known any more. */
void traced_stack_clear(struct traced_stack *s);

/*
 * Writes the chain of a sample at @ip, as the kernel would: a marker of the mode, @ip, and the
 * return addresses, innermost first; at most @max words. Returns their number.
 */
size_t traced_stack_chain(const struct traced_stack *s, uint64_t ip, uint64_t *ret, size_t max);

/* Writes the last branches, newest first: from, to and 0. Returns the number of branches. */
size_t traced_stack_last(const struct traced_stack *s, uint64_t *ret);
