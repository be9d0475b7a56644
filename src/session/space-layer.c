/* SPDX-License-Identifier: MIT */
#include "session/space-layer.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"

/*
 * The maximum number of slots of a leaf. It is small enough to be moved quickly, and large enough
 * that few programs need a second leaf.
 */
#define LEAF_MAX 128

void space_layer_done(struct space_layer *l)
{
	for (size_t i = 0; i < l->n_leaves; i++)
		free(l->leaves[i].slots);
	free(l->leaves);
	*l = (struct space_layer){ 0 };
}

size_t space_slots_at(const struct space_slot *slots, size_t n, uint64_t addr)
{
	return BISECT(i, n, slots[i].end <= addr);
}

size_t space_layer_leaf(const struct space_layer *l, uint64_t addr)
{
	return BISECT(i, l->n_leaves, l->leaves[i].end <= addr);
}

const struct space_slot *space_layer_find(const struct space_layer *l, uint64_t addr,
					  struct space_slot *ret_gap)
{
	size_t k = space_layer_leaf(l, addr);
	uint64_t before = k ? l->leaves[k - 1].end : 0;

	if (k == l->n_leaves) {
		*ret_gap = (struct space_slot){ before, UINT64_MAX, NULL };
		return NULL;
	}

	const struct space_leaf *leaf = &l->leaves[k];
	size_t i = space_slots_at(leaf->slots, leaf->n, addr);

	if (leaf->slots[i].start <= addr)
		return &leaf->slots[i];
	if (i)
		before = leaf->slots[i - 1].end;
	*ret_gap = (struct space_slot){ before, leaf->slots[i].start, NULL };
	return NULL;
}

struct space_range space_layer_range(const struct space_layer *l, uint64_t start, uint64_t end)
{
	struct space_range r = { .leaf = space_layer_leaf(l, start) };

	/* The range is after all slots: it is at the end of the last leaf. */
	if (r.leaf == l->n_leaves) {
		r.leaf -= l->n_leaves > 0;
		r.slot = l->n_leaves ? l->leaves[r.leaf].n : 0;
		return r;
	}
	r.slot = space_slots_at(l->leaves[r.leaf].slots, l->leaves[r.leaf].n, start);
	for (size_t leaf = r.leaf, slot = r.slot; leaf < l->n_leaves; leaf++, slot = 0)
		for (; slot < l->leaves[leaf].n; slot++) {
			if (l->leaves[leaf].slots[slot].start >= end)
				return r;
			r.n++;
		}
	return r;
}

void space_layer_copy(const struct space_layer *l, const struct space_range *r,
		      struct space_slot *to)
{
	size_t left = r->n;

	for (size_t leaf = r->leaf, slot = r->slot; left; leaf++, slot = 0) {
		size_t here = l->leaves[leaf].n - slot;

		here = here < left ? here : left;
		memcpy(to, &l->leaves[leaf].slots[slot], here * sizeof(to[0]));
		to += here;
		left -= here;
	}
}

static void space_layer_note_end(struct space_leaf *leaf)
{
	if (leaf->n)
		leaf->end = leaf->slots[leaf->n - 1].end;
}

static void erase_in_leaf(struct space_leaf *leaf, size_t slot, size_t n)
{
	memmove(&leaf->slots[slot], &leaf->slots[slot + n],
		(leaf->n - slot - n) * sizeof(leaf->slots[0]));
	leaf->n -= n;
	space_layer_note_end(leaf);
}

static void erase_leaves(struct space_layer *l, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++)
		free(l->leaves[i].slots);
	memmove(&l->leaves[first], &l->leaves[first + n],
		(l->n_leaves - first - n) * sizeof(l->leaves[0]));
	l->n_leaves -= n;
}

/* Removes the slots. The leaf in which the range begins may become empty. */
static void space_layer_erase(struct space_layer *l, const struct space_range *r)
{
	size_t left = r->n, whole = 0, here;

	if (!left)
		return;
	here = l->leaves[r->leaf].n - r->slot;
	here = here < left ? here : left;
	erase_in_leaf(&l->leaves[r->leaf], r->slot, here);
	left -= here;
	for (; left && l->leaves[r->leaf + 1 + whole].n <= left; whole++)
		left -= l->leaves[r->leaf + 1 + whole].n;
	if (left)
		erase_in_leaf(&l->leaves[r->leaf + 1 + whole], 0, left);
	if (whole)
		erase_leaves(l, r->leaf + 1, whole);
	l->n -= r->n;
}

/* Inserts an empty leaf as number @i. */
static struct space_leaf *add_leaf(struct space_layer *l, size_t i)
{
	l->leaves = array_reserve(l->leaves, &l->room, l->n_leaves + 1, sizeof(l->leaves[0]));
	memmove(&l->leaves[i + 1], &l->leaves[i], (l->n_leaves - i) * sizeof(l->leaves[0]));
	l->leaves[i] = (struct space_leaf){ 0 };
	l->n_leaves++;
	return &l->leaves[i];
}

static void insert_in_leaf(struct space_leaf *leaf, size_t slot, const struct space_slot *with,
			   size_t n)
{
	leaf->slots = array_reserve(leaf->slots, &leaf->room, leaf->n + n, sizeof(with[0]));
	memmove(&leaf->slots[slot + n], &leaf->slots[slot],
		(leaf->n - slot) * sizeof(leaf->slots[0]));
	memcpy(&leaf->slots[slot], with, n * sizeof(with[0]));
	leaf->n += n;
	space_layer_note_end(leaf);
}

/*
 * Makes space in the full leaf @i for a slot at @slot; returns the leaf and the position in it.
 * Most insertions are at the very end, and leave full leaves.
 */
static struct space_leaf *space_layer_split(struct space_layer *l, size_t i, size_t *slot)
{
	bool at_end = i + 1 == l->n_leaves && *slot == l->leaves[i].n;
	size_t stay = at_end ? l->leaves[i].n : l->leaves[i].n / 2;
	struct space_leaf *behind = add_leaf(l, i + 1);
	struct space_leaf *leaf = &l->leaves[i];

	if (!at_end) {
		insert_in_leaf(behind, 0, &leaf->slots[stay], leaf->n - stay);
		leaf->n = stay;
		space_layer_note_end(leaf);
	}
	if (*slot < stay || (*slot == stay && !at_end))
		return leaf;
	*slot -= stay;
	return behind;
}

void space_layer_replace(struct space_layer *l, const struct space_range *r,
			 const struct space_slot *with, size_t n)
{
	struct space_leaf *leaf;
	size_t slot = r->slot;

	space_layer_erase(l, r);
	leaf = l->n_leaves ? &l->leaves[r->leaf] : add_leaf(l, 0);
	if (leaf->n + n > LEAF_MAX)
		leaf = space_layer_split(l, r->leaf, &slot);
	insert_in_leaf(leaf, slot, with, n);
	l->n += n;
}
