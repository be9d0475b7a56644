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
 * `perf report` shows: functions that are inlined where perf unwound are frames of their own.
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
 * Takes the stacks of @b. *@ret_nodes has one for each sample, good until the next batch of that
 * worker: what stack_numbers_of() is asked with.
 */
void stack_numbers_take(struct stack_numbers *n, const struct sample_batch *b,
			const uint32_t **ret_nodes);

/* Everything was taken. */
void stack_numbers_settle(struct stack_numbers *n);

/* The number of what was taken as @node by @worker; 0: a sample without a stack. */
uint32_t stack_numbers_of(const struct stack_numbers *n, unsigned worker, uint32_t node);

/* How many stacks, and how many frames, there are: the largest numbers. */
size_t stack_numbers_count(const struct stack_numbers *n);
size_t stack_numbers_frame_count(const struct stack_numbers *n);

/*
 * Walks a stack from its innermost frame on: the place of the first of stack @number, and the one
 * outside of @place; STACK_NONE: that was the outermost.
 */
uint32_t stack_numbers_first(const struct stack_numbers *n, uint32_t number);
uint32_t stack_numbers_outer(const struct stack_numbers *n, uint32_t place);

/* The number of the frame at @place, and the frame with a number. */
uint32_t stack_numbers_frame_at(const struct stack_numbers *n, uint32_t place);
const struct frame *stack_numbers_frame(const struct stack_numbers *n, uint32_t number);
