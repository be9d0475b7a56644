/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The distinct stacks of a recording, numbered from 1 in order of their first sample.
 *
 *	stack_numbers_take()	batches in any order, by several workers at once
 *	stack_numbers_settle()	workers' stacks become one numbering
 *
 * All samples with stacks must be taken: then a number means the same stack whenever the recording
 * is read. Frames are numbered likewise: innermost first, stack by stack. Stacks are those that
 * `perf report` shows: inlined functions are frames of their own if perf unwound the stack.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct frame;
struct sample_batch;
struct session;
struct stack_numbers;

struct stack_numbers *stack_numbers_new(const struct session *s, size_t max_stack,
					unsigned n_workers);
void stack_numbers_free(struct stack_numbers *n);
DEFINE_FREEP(stack_numbers)

/*
 * Takes the stacks of @b. *@ret_nodes has one node for each sample, for stack_numbers_of(). It is
 * valid until the next batch of that worker.
 */
void stack_numbers_take(struct stack_numbers *n, const struct sample_batch *b,
			const uint32_t **ret_nodes);

/* Numbers the stacks. Call it once everything was taken. */
void stack_numbers_settle(struct stack_numbers *n);

/* Returns the number of the stack that @worker took as @node; 0: a sample without a stack. */
uint32_t stack_numbers_of(const struct stack_numbers *n, unsigned worker, uint32_t node);

/* Return how many stacks, and how many frames, there are: the largest numbers. */
size_t stack_numbers_count(const struct stack_numbers *n);
size_t stack_numbers_frame_count(const struct stack_numbers *n);

/*
 * Walk a stack from its innermost frame on. stack_numbers_first() returns the place of the first
 * frame of stack @number; stack_numbers_outer() returns the place outside of @place; STACK_NONE:
 * @place was the outermost.
 */
uint32_t stack_numbers_first(const struct stack_numbers *n, uint32_t number);
uint32_t stack_numbers_outer(const struct stack_numbers *n, uint32_t place);

/* Return the number of the frame at @place, and the frame with a number. */
uint32_t stack_numbers_frame_at(const struct stack_numbers *n, uint32_t place);
const struct frame *stack_numbers_frame(const struct stack_numbers *n, uint32_t number);
