/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks as numbers: each is a location and the number of its caller's stack, which is smaller.
 *
 * One table for all events and processes of a recording: stacks that run through the same places
 * have one number, though the trie has a node for each event and, of programs that are loaded
 * elsewhere, for each process.
 */
#include <stddef.h>
#include <stdint.h>

#include "profile/code-table.h"
#include "profile/contexts.h"

struct stack_memo {
	uint32_t *of_node; /* its stack + 1 */
	size_t n;
};

struct stack_table {
	struct code_table code;
	struct contexts items; /* the caller's number + 1, and the location */
	/* private: */
	struct stack_memo *memos; /* of each event */
	size_t n_memos;
	struct {
		uint32_t *items;
		size_t n, room;
	} nodes; /* on the way to the next caller that is known */
};

void stack_table_init(struct stack_table *t, const struct frames *frames, bool with_lines);
void stack_table_done(struct stack_table *t);

/* The stack that ends at @node of @s, the stacks of event @event; CODE_NONE of a root. */
uint32_t stack_table_add(struct stack_table *t, size_t event, const struct stacks *s,
			 uint32_t node);

/* The stack of the caller, or CODE_NONE; and the location. */
uint32_t stack_caller(const struct stack_table *t, uint32_t stack);
uint32_t stack_location(const struct stack_table *t, uint32_t stack);
