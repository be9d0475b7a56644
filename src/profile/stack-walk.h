/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Walks through the trie of stacks for call trees: where the stacks of a row begin, and how they go
 * on, outward (callees first) or inward (callers first).
 *
 * A place in a tree is a set of places in the trie, steps, each with the weight of those stacks
 * through it that the row has. The sets lie one behind the other, as on a stack: the caller takes
 * away what it is done with. A walk belongs to one thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/weight.h"

struct frame_order;
struct report_row;
struct report_rows;
struct stacks;
struct walk_mark;

/* A node of the trie in a set. */
struct step {
	uint32_t rank; /* of its frame */
	uint32_t node;
	struct weight weight;
	bool whole; /* inward: of a whole stack, that of a sample which is the row's own */
};

struct steps {
	struct step *items;
	size_t n, room;
};

struct stack_walk {
	const struct report_rows *rows;
	const struct stacks *stacks;
	const struct frame_order *order;
	bool callers_first;
	struct steps steps;
	/* private: */
	struct walk_mark *marks; /* by node */
	struct {
		uint32_t *items;
		size_t n, room;
	} seen; /* nodes whose marks are not zero */
	bool has_own;
};

/* For the rows of @rows, which outlive it, as does @order. */
void stack_walk_init(struct stack_walk *w, const struct report_rows *rows,
		     const struct frame_order *order, bool callers_first);
void stack_walk_done(struct stack_walk *w);

/* Makes the steps those that the stacks of @row begin with. */
void stack_walk_begin(struct stack_walk *w, const struct report_row *row);

/* Adds the steps that lead on from all that there are from @from on. Stacks that end add none. */
void stack_walk_on(struct stack_walk *w, size_t from);

/* Makes one step of those from @from on, of one rank, that came to the same node. */
void stack_walk_merge(struct stack_walk *w, size_t from);

/* What the steps from @from on weigh together. */
struct weight stack_walk_sum(const struct stack_walk *w, size_t from);
