/* SPDX-License-Identifier: MIT */
#include "base/red-black.h"

#include <stdlib.h>

#include "base/memory.h"

void red_black_init(struct red_black *t, size_t n)
{
	*t = (struct red_black){ .nodes = xcalloc(n + 1, sizeof(t->nodes[0])) };
}

void red_black_done(struct red_black *t)
{
	free(t->nodes);
}

/* Returns the side on which @n is a child of its parent. */
static int red_black_side_of(const struct red_black *t, uint32_t n)
{
	return t->nodes[t->nodes[n].parent].child[RED_BLACK_RIGHT] == n ? RED_BLACK_RIGHT
									: RED_BLACK_LEFT;
}

/* Puts @new in the place of @old below its parent. */
static void red_black_replace(struct red_black *t, uint32_t old, uint32_t new)
{
	uint32_t parent = t->nodes[old].parent;

	if (parent == RED_BLACK_NIL)
		t->root = new;
	else
		t->nodes[parent].child[red_black_side_of(t, old)] = new;
	t->nodes[new].parent = parent;
}

/* Moves @n down to @side; its child on the other side takes its place. */
static void red_black_rotate(struct red_black *t, uint32_t n, int side)
{
	uint32_t up = t->nodes[n].child[!side], inner = t->nodes[up].child[side];

	red_black_replace(t, n, up);
	t->nodes[n].child[!side] = inner;
	if (inner != RED_BLACK_NIL)
		t->nodes[inner].parent = n;
	t->nodes[up].child[side] = n;
	t->nodes[n].parent = up;
}

static void repair_insert(struct red_black *t, uint32_t n)
{
	struct red_black_node *nodes = t->nodes;

	while (nodes[nodes[n].parent].is_red) {
		uint32_t parent = nodes[n].parent, grandparent = nodes[parent].parent;
		int side = red_black_side_of(t, parent);
		uint32_t uncle = nodes[grandparent].child[!side];

		if (nodes[uncle].is_red) {
			nodes[parent].is_red = nodes[uncle].is_red = false;
			nodes[grandparent].is_red = true;
			n = grandparent;
			continue;
		}
		if (red_black_side_of(t, n) != side) {
			red_black_rotate(t, parent, side);
			n = parent;
			parent = nodes[n].parent;
		}
		nodes[parent].is_red = false;
		nodes[grandparent].is_red = true;
		red_black_rotate(t, grandparent, !side);
	}
	nodes[t->root].is_red = false;
}

void red_black_insert(struct red_black *t, uint32_t n, uint32_t parent, enum red_black_side side)
{
	t->nodes[n] = (struct red_black_node){ .parent = parent, .is_red = true };
	if (parent == RED_BLACK_NIL)
		t->root = n;
	else
		t->nodes[parent].child[side] = n;
	repair_insert(t, n);
}

/*
 * Repairs the tree if the paths through @n have one black node too few; @n may be RED_BLACK_NIL,
 * with its parent set.
 */
static void repair_erase(struct red_black *t, uint32_t n)
{
	struct red_black_node *nodes = t->nodes;

	while (n != t->root && !nodes[n].is_red) {
		uint32_t parent = nodes[n].parent;
		int side = nodes[parent].child[RED_BLACK_LEFT] == n ? RED_BLACK_LEFT
								    : RED_BLACK_RIGHT;
		uint32_t sibling = nodes[parent].child[!side];

		if (nodes[sibling].is_red) {
			nodes[sibling].is_red = false;
			nodes[parent].is_red = true;
			red_black_rotate(t, parent, side);
			sibling = nodes[parent].child[!side];
		}
		if (!nodes[nodes[sibling].child[RED_BLACK_LEFT]].is_red &&
		    !nodes[nodes[sibling].child[RED_BLACK_RIGHT]].is_red) {
			nodes[sibling].is_red = true;
			n = parent;
			continue;
		}
		if (!nodes[nodes[sibling].child[!side]].is_red) {
			nodes[nodes[sibling].child[side]].is_red = false;
			nodes[sibling].is_red = true;
			red_black_rotate(t, sibling, !side);
			sibling = nodes[parent].child[!side];
		}
		nodes[sibling].is_red = nodes[parent].is_red;
		nodes[parent].is_red = false;
		nodes[nodes[sibling].child[!side]].is_red = false;
		red_black_rotate(t, parent, side);
		n = t->root;
	}
	nodes[n].is_red = false;
}

static uint32_t red_black_leftmost(const struct red_black *t, uint32_t n)
{
	while (t->nodes[n].child[RED_BLACK_LEFT] != RED_BLACK_NIL)
		n = t->nodes[n].child[RED_BLACK_LEFT];
	return n;
}

void red_black_erase(struct red_black *t, uint32_t n)
{
	struct red_black_node *nodes = t->nodes;
	bool lost_red = nodes[n].is_red;
	uint32_t heir;

	if (nodes[n].child[RED_BLACK_LEFT] == RED_BLACK_NIL ||
	    nodes[n].child[RED_BLACK_RIGHT] == RED_BLACK_NIL) {
		heir = nodes[n].child[nodes[n].child[RED_BLACK_LEFT] == RED_BLACK_NIL
					      ? RED_BLACK_RIGHT
					      : RED_BLACK_LEFT];
		red_black_replace(t, n, heir);
	} else {
		uint32_t next = red_black_leftmost(t, nodes[n].child[RED_BLACK_RIGHT]);

		lost_red = nodes[next].is_red;
		heir = nodes[next].child[RED_BLACK_RIGHT];
		if (nodes[next].parent == n) {
			nodes[heir].parent = next;
		} else {
			red_black_replace(t, next, heir);
			nodes[next].child[RED_BLACK_RIGHT] = nodes[n].child[RED_BLACK_RIGHT];
			nodes[nodes[next].child[RED_BLACK_RIGHT]].parent = next;
		}
		red_black_replace(t, n, next);
		nodes[next].child[RED_BLACK_LEFT] = nodes[n].child[RED_BLACK_LEFT];
		nodes[nodes[next].child[RED_BLACK_LEFT]].parent = next;
		nodes[next].is_red = nodes[n].is_red;
	}
	if (!lost_red)
		repair_erase(t, heir);
}

uint32_t red_black_first(const struct red_black *t)
{
	return t->root == RED_BLACK_NIL ? RED_BLACK_NIL : red_black_leftmost(t, t->root);
}

uint32_t red_black_next(const struct red_black *t, uint32_t n)
{
	if (t->nodes[n].child[RED_BLACK_RIGHT] != RED_BLACK_NIL)
		return red_black_leftmost(t, t->nodes[n].child[RED_BLACK_RIGHT]);
	while (t->nodes[n].parent != RED_BLACK_NIL && red_black_side_of(t, n) == RED_BLACK_RIGHT)
		n = t->nodes[n].parent;
	return t->nodes[n].parent;
}

static void insert_by(struct red_black *t, const void *const *items, uint32_t n,
		      red_black_compare *compare, void *arg)
{
	uint32_t parent = RED_BLACK_NIL, at = t->root;
	enum red_black_side side = RED_BLACK_LEFT;

	while (at != RED_BLACK_NIL) {
		parent = at;
		side = compare(items[n - 1], items[at - 1], arg) < 0 ? RED_BLACK_LEFT
								     : RED_BLACK_RIGHT;
		at = t->nodes[at].child[side];
	}
	red_black_insert(t, n, parent, side);
}

void red_black_sort(const void **items, size_t n, red_black_compare *compare, void *arg)
{
	const void **sorted = xcalloc(n + 1, sizeof(*sorted));
	struct red_black t;
	size_t i = 0;

	red_black_init(&t, n);
	for (uint32_t k = 1; k <= n; k++)
		insert_by(&t, items, k, compare, arg);
	for (uint32_t k = red_black_first(&t); k != RED_BLACK_NIL; k = red_black_next(&t, k))
		sorted[i++] = items[k - 1];
	red_black_done(&t);
	for (i = 0; i < n; i++)
		items[i] = sorted[i];
	free(sorted);
}
