/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Walks through the trie of stacks for call trees: finds where the stacks of a row begin, and how
 * they go on, outward (callees first) or inward (callers first).
 *
 * A place in a tree is a set of places in the trie, called steps. Each step has the weight of the
 * row's stacks through it. The sets are stored one after the other, as on a stack; the caller
 * removes the sets that it no longer needs. A walk belongs to one thread.
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
	uint32_t rank; /* the rank of its frame */
	uint32_t node;
	struct weight weight;
	bool whole; /* inward: on a whole stack, that of one of the row's own samples */
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
	struct walk_mark *marks; /* indexed by node */
	struct {
		uint32_t *items;
		size_t n, room;
	} seen; /* nodes whose marks are not zero */
	bool has_own;
};

/* Initialises a walk for the rows of @rows. @rows and @order must outlive it. */
void stack_walk_init(struct stack_walk *w, const struct report_rows *rows,
		     const struct frame_order *order, bool callers_first);
void stack_walk_done(struct stack_walk *w);

/* Sets the steps to those with which the stacks of @row begin. */
void stack_walk_begin(struct stack_walk *w, const struct report_row *row);

/* Adds the steps that follow the steps from @from on. Stacks that end add none. */
void stack_walk_on(struct stack_walk *w, size_t from);

/* Merges those steps from @from on, all of one rank, that came to the same node. */
void stack_walk_merge(struct stack_walk *w, size_t from);

/* Returns the total weight of the steps from @from on. */
struct weight stack_walk_sum(const struct stack_walk *w, size_t from);
