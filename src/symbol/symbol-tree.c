/* SPDX-License-Identifier: MIT */
#include "symbol/symbol-tree.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

void symbol_history_done(struct symbol_history *h)
{
	free(h->starts);
	free(h->drops);
	*h = (struct symbol_history){ 0 };
}

uint32_t symbol_history_insert(struct symbol_history *h, uint64_t start)
{
	h->starts = array_reserve(h->starts, &h->room, h->n + 1, sizeof(h->starts[0]));
	h->starts[h->n] = start;
	return (uint32_t)h->n++;
}

void symbol_history_drop(struct symbol_history *h, uint32_t symbol)
{
	h->drops = array_reserve(h->drops, &h->drops_room, h->n_drops + 1, sizeof(h->drops[0]));
	h->drops[h->n_drops++] = (struct symbol_drop){ symbol, (uint32_t)h->n };
}

/*
 * The textbook's red-black tree (Cormen et al., Introduction to Algorithms), in which a missing
 * child is node 0, black, and symbol i is node i + 1.
 */
struct node {
	uint64_t start;
	uint32_t child[2]; /* left, right */
	uint32_t parent;
	bool is_red;
};

struct tree {
	struct node *nodes;
	uint32_t root;
};

enum {
	NIL,
	LEFT = 0,
	RIGHT,
};

/* Which child of its parent is @n? */
static int side_of(const struct tree *t, uint32_t n)
{
	return t->nodes[t->nodes[n].parent].child[RIGHT] == n ? RIGHT : LEFT;
}

/* Puts @new into the place of @old below its parent. */
static void replace(struct tree *t, uint32_t old, uint32_t new)
{
	uint32_t parent = t->nodes[old].parent;

	if (parent == NIL)
		t->root = new;
	else
		t->nodes[parent].child[side_of(t, old)] = new;
	t->nodes[new].parent = parent;
}

/* Moves @n down to @side; its child on the other side takes its place. */
static void rotate(struct tree *t, uint32_t n, int side)
{
	uint32_t up = t->nodes[n].child[!side], inner = t->nodes[up].child[side];

	replace(t, n, up);
	t->nodes[n].child[!side] = inner;
	if (inner != NIL)
		t->nodes[inner].parent = n;
	t->nodes[up].child[side] = n;
	t->nodes[n].parent = up;
}

static void repair_insert(struct tree *t, uint32_t n)
{
	struct node *nodes = t->nodes;

	while (nodes[nodes[n].parent].is_red) {
		uint32_t parent = nodes[n].parent, grandparent = nodes[parent].parent;
		int side = side_of(t, parent);
		uint32_t uncle = nodes[grandparent].child[!side];

		if (nodes[uncle].is_red) {
			nodes[parent].is_red = nodes[uncle].is_red = false;
			nodes[grandparent].is_red = true;
			n = grandparent;
			continue;
		}
		if (side_of(t, n) != side) {
			rotate(t, parent, side);
			n = parent;
			parent = nodes[n].parent;
		}
		nodes[parent].is_red = false;
		nodes[grandparent].is_red = true;
		rotate(t, grandparent, !side);
	}
	nodes[t->root].is_red = false;
}

/* Equal starts go to the right, behind what was there. */
static void insert(struct tree *t, uint32_t n, uint64_t start)
{
	uint32_t parent = NIL, at = t->root;
	int side = LEFT;

	while (at != NIL) {
		parent = at;
		side = start < t->nodes[at].start ? LEFT : RIGHT;
		at = t->nodes[at].child[side];
	}
	t->nodes[n] = (struct node){ .start = start, .parent = parent, .is_red = true };
	if (parent == NIL)
		t->root = n;
	else
		t->nodes[parent].child[side] = n;
	repair_insert(t, n);
}

/* @n has one black node too few above it; it may be NIL, with its parent set. */
static void repair_erase(struct tree *t, uint32_t n)
{
	struct node *nodes = t->nodes;

	while (n != t->root && !nodes[n].is_red) {
		uint32_t parent = nodes[n].parent;
		int side = nodes[parent].child[LEFT] == n ? LEFT : RIGHT;
		uint32_t sibling = nodes[parent].child[!side];

		if (nodes[sibling].is_red) {
			nodes[sibling].is_red = false;
			nodes[parent].is_red = true;
			rotate(t, parent, side);
			sibling = nodes[parent].child[!side];
		}
		if (!nodes[nodes[sibling].child[LEFT]].is_red &&
		    !nodes[nodes[sibling].child[RIGHT]].is_red) {
			nodes[sibling].is_red = true;
			n = parent;
			continue;
		}
		if (!nodes[nodes[sibling].child[!side]].is_red) {
			nodes[nodes[sibling].child[side]].is_red = false;
			nodes[sibling].is_red = true;
			rotate(t, sibling, !side);
			sibling = nodes[parent].child[!side];
		}
		nodes[sibling].is_red = nodes[parent].is_red;
		nodes[parent].is_red = false;
		nodes[nodes[sibling].child[!side]].is_red = false;
		rotate(t, parent, side);
		n = t->root;
	}
	nodes[n].is_red = false;
}

static uint32_t leftmost(const struct tree *t, uint32_t n)
{
	while (t->nodes[n].child[LEFT] != NIL)
		n = t->nodes[n].child[LEFT];
	return n;
}

static void erase(struct tree *t, uint32_t n)
{
	struct node *nodes = t->nodes;
	bool lost_red = nodes[n].is_red;
	uint32_t heir;

	if (nodes[n].child[LEFT] == NIL || nodes[n].child[RIGHT] == NIL) {
		heir = nodes[n].child[nodes[n].child[LEFT] == NIL ? RIGHT : LEFT];
		replace(t, n, heir);
	} else {
		uint32_t next = leftmost(t, nodes[n].child[RIGHT]);

		lost_red = nodes[next].is_red;
		heir = nodes[next].child[RIGHT];
		if (nodes[next].parent == n) {
			nodes[heir].parent = next;
		} else {
			replace(t, next, heir);
			nodes[next].child[RIGHT] = nodes[n].child[RIGHT];
			nodes[nodes[next].child[RIGHT]].parent = next;
		}
		replace(t, n, next);
		nodes[next].child[LEFT] = nodes[n].child[LEFT];
		nodes[nodes[next].child[LEFT]].parent = next;
		nodes[next].is_red = nodes[n].is_red;
	}
	if (!lost_red)
		repair_erase(t, heir);
}

void symbol_tree_build(const struct symbol_history *h, struct symbol_tree *ret)
{
	struct tree t = { .nodes = xcalloc(h->n + 1, sizeof(t.nodes[0])) };
	size_t drop = 0;

	for (uint32_t i = 0; i <= h->n; i++) {
		for (; drop < h->n_drops && h->drops[drop].after == i; drop++)
			erase(&t, h->drops[drop].symbol + 1);
		if (i < h->n)
			insert(&t, i + 1, h->starts[i]);
	}
	ret->items = xcalloc(h->n, sizeof(ret->items[0]));
	for (uint32_t i = 0; i < h->n; i++)
		ret->items[i] = (struct symbol_children){ t.nodes[i + 1].child[LEFT] - 1,
							  t.nodes[i + 1].child[RIGHT] - 1 };
	ret->root = t.root - 1;
	free(t.nodes);
}
