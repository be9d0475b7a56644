/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stacks of a call tree as a list, the heaviest first: the output of -g flat and -g folded.
 *
 * A stack is a node of the tree, with the nodes above it. Stacks of equal weight are in the reverse
 * order of a walk through the tree whose siblings are sorted by rank. Borrows the tree.
 */
#include <stddef.h>

#include "profile/call-tree.h"

struct call_stack {
	const struct call_node *node;   /* its last frames, and the weight that ends with them */
	const struct call_stack *above; /* the frames before these; NULL: none */
};

struct call_list {
	const struct call_stack **items; /* sorted */
	size_t n;
	struct call_stack *all; /* private: in the order of the walk */
};

/* Makes the list of the stacks of @t, made with @o, that have a weight and pass its threshold. */
void call_list_init(struct call_list *ret, const struct call_tree *t,
		    const struct call_tree_options *o);
void call_list_done(struct call_list *l);
