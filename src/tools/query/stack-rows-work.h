/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of `stacks`, `stack_frames` and `frames`, and the text of a stack.
 */
#include <stdint.h>

struct query_table;
struct sample_table;
struct stack_numbers;
struct text;

/* The rows of @t, which is one of the three. One reference is the caller's. */
struct sample_table *stack_rows(const struct query_table *t, const struct stack_numbers *stacks);

/* Appends "outermost;...;innermost" of stack @number. */
void stack_add_folded(struct text *t, const struct stack_numbers *stacks, uint32_t number);
