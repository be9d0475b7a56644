/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The pieces of an address space that hold something, by address.
 *
 * They are in leaves of bounded size, listed in an array. A lookup is a binary search for the leaf
 * and one inside it. An insertion moves at most one leaf, so a hundred thousand maps can be added
 * in any order. Most spaces have one leaf. `{ 0 }` is empty.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct space_version;

/* A piece of the address space with its latest content. */
struct space_slot {
	uint64_t start, end;
	const struct space_version *version;
};

struct space_leaf {
	uint64_t end;             /* the end of its last slot */
	struct space_slot *slots; /* sorted, disjoint; at least one */
	size_t n, room;
};

struct space_layer {
	struct space_leaf *leaves; /* sorted by address */
	size_t n_leaves, room;
	size_t n; /* number of slots in all leaves */
};

/* Slots that are consecutive, of one leaf or several. */
struct space_range {
	size_t leaf, slot; /* the position of the first slot, existing or not */
	size_t n;
};

void space_layer_done(struct space_layer *l);

/* Returns the index of the first of @n slots that ends after @addr; @n: none does. */
size_t space_slots_at(const struct space_slot *slots, size_t n, uint64_t addr);

/*
 * Returns the slot at @addr; NULL: there is none. *@ret_gap is then the gap there, whose version is
 * NULL. O(log n)
 */
const struct space_slot *space_layer_find(const struct space_layer *l, uint64_t addr,
					  struct space_slot *ret_gap);

/*
 * Returns the number of the first leaf with a slot that ends after @addr; n_leaves: none has one.
 */
size_t space_layer_leaf(const struct space_layer *l, uint64_t addr);

/* Returns the slots that [@start, @end) touches. */
struct space_range space_layer_range(const struct space_layer *l, uint64_t start, uint64_t end);

/* Copies the slots of @r to @to, which is large enough for them. */
void space_layer_copy(const struct space_layer *l, const struct space_range *r,
		      struct space_slot *to);

/*
 * Replaces the slots of @r by @n slots, one to three. Together they lie between the slots before
 * and after @r.
 */
void space_layer_replace(struct space_layer *l, const struct space_range *r,
			 const struct space_slot *with, size_t n);
