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

/* Returns the rows of @t, which is one of the three tables. The caller owns one reference. */
struct sample_table *stack_rows(const struct query_table *t, const struct stack_numbers *stacks);

/* Appends stack @number as "outermost;...;innermost". */
void stack_add_folded(struct text *t, const struct stack_numbers *stacks, uint32_t number);
