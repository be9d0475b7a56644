/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The pieces of an address space that hold something, by address.
 *
 * They lie in leaves of bounded size, listed in an array. A lookup is a binary search for the leaf
 * and one inside it. An insertion moves at most one leaf, so that a hundred thousand maps can be
 * added in any order. Most spaces have one leaf. `{ 0 }` is empty.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct space_version;

/* A piece of the address space with what it last held. */
struct space_slot {
	uint64_t start, end;
	const struct space_version *version;
};

struct space_leaf {
	uint64_t end;             /* of its last slot */
	struct space_slot *slots; /* sorted, disjoint; at least one */
	size_t n, room;
};

struct space_layer {
	struct space_leaf *leaves; /* by address */
	size_t n_leaves, room;
	size_t n; /* slots in all of them */
};

/* Slots that follow each other, of one leaf or several. */
struct space_range {
	size_t leaf, slot; /* where the first is, or would be */
	size_t n;
};

void space_layer_done(struct space_layer *l);

/* The first of @n slots that ends behind @addr; @n: none does. */
size_t space_slots_at(const struct space_slot *slots, size_t n, uint64_t addr);

/*
 * The slot at @addr; NULL: nothing lies there, nor in *@ret_gap, whose version is NULL. O(log n)
 */
const struct space_slot *space_layer_find(const struct space_layer *l, uint64_t addr,
					  struct space_slot *ret_gap);

/* The number of the first leaf with a slot that ends behind @addr; n_leaves: none has. */
size_t space_layer_leaf(const struct space_layer *l, uint64_t addr);

/* The slots that [@start, @end) touches. */
struct space_range space_layer_range(const struct space_layer *l, uint64_t start, uint64_t end);

/* Copies the slots of @r to @to, which has room for them. */
void space_layer_copy(const struct space_layer *l, const struct space_range *r,
		      struct space_slot *to);

/*
 * Replaces the slots of @r by @n slots, one to three. Together they lie between the slots before
 * and behind @r.
 */
void space_layer_replace(struct space_layer *l, const struct space_range *r,
			 const struct space_slot *with, size_t n);
