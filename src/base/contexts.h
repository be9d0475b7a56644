/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Tuples of numbers, each stored once, as numbers in the order of their first use: the values that
 * samples have in common besides their stacks, or the keys of a table.
 */
#include <stddef.h>
#include <stdint.h>

struct contexts {
	uint64_t *values; /* n times width values */
	size_t n, room, width;
	uint32_t *slots; /* a hash table: number + 1; 0: free */
	size_t n_slots;  /* a power of two */
	uint64_t seed;   /* for base/hash.h */
};

/* Makes an empty set of tuples of @width numbers, which may be 0. */
void contexts_init(struct contexts *c, size_t width);
void contexts_done(struct contexts *c);

/* Returns the number of the tuple at @values; a copy is made if it is new. */
uint32_t contexts_add(struct contexts *c, const uint64_t *values);

/* Returns the tuple of that number; valid until the next is added. */
const uint64_t *contexts_get(const struct contexts *c, uint32_t i);
