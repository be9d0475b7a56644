/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stacks of a call tree as a list, the heaviest first: what -g flat and -g folded show.
 *
 * A stack is a node of the tree, with the nodes above it. Of equal ones the reverse of the order
 * comes in which a walk through the tree, whose siblings are sorted by rank, comes to where they
 * end. Borrows the tree.
 */
#include <stddef.h>

#include "profile/call-tree.h"

struct call_stack {
	const struct call_node *node;   /* its last frames, and what ends with them */
	const struct call_stack *above; /* the frames before; NULL: none */
};

struct call_list {
	const struct call_stack **items; /* sorted */
	size_t n;
	struct call_stack *all; /* private: by walk */
};

/* The stacks of @t, made with @o, that weigh something and pass its threshold. */
void call_list_init(struct call_list *ret, const struct call_tree *t,
		    const struct call_tree_options *o);
void call_list_done(struct call_list *l);
