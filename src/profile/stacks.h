/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks merged by their outer frames: a trie, whose nodes are 32-bit numbers.
 *
 * The roots are told apart by a number of the caller's (its context). Below a root, a node is a
 * frame at the position given by its parents: the parent is the caller. A stack is its innermost
 * node, and samples add their weight there. A million equal stacks cost one node. Parents have
 * smaller numbers than children.
 *
 * The sampled function need not be the innermost of the recorded stack (there may be no stack at
 * all). It is then a node below the stack that is *apart*, and is not part of call trees.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/weight.h"

#define STACK_NONE UINT32_MAX

/*
 * A node. It is small, because there are many, and a stack is found by reading them one after the
 * other.
 */
struct stack_node {
	uint32_t parent;      /* STACK_NONE: a root */
	uint32_t frame;       /* for a root: its context */
	uint32_t child, next; /* after stacks_settle(): its first child, its next sibling */
};

struct stack_weight {
	struct weight self;  /* the weight of samples directly at this node */
	struct weight total; /* after stacks_settle(): including all nodes below */
	uint64_t first;      /* the time of the first sample directly at this node */
	uint32_t first_task; /* the task of that sample */
};

/* Adds samples, the first of which was taken at @when. */
static inline void stack_weight_add(struct stack_weight *s, struct weight w, uint64_t when,
				    uint32_t task)
{
	if (!s->self.samples || when < s->first) {
		s->first = when;
		s->first_task = task;
	}
	weight_add(&s->self, w);
}

struct stack_slot {
	uint64_t key;
	uint32_t node; /* STACK_NONE: free */
};

struct stacks {
	struct stack_node *nodes;
	struct stack_weight *weights; /* one for each node */
	uint64_t *keys;               /* one for each node */
	uint8_t *apart;               /* one for each node */
	size_t n, room, weights_room, keys_room, apart_room;
	struct stack_slot *slots; /* a hash table by key; NULL once settled */
	size_t n_slots;           /* a power of two */
	uint64_t root_key;        /* the parent key of all roots: the seed of base/hash.h */
};

/*
 * Returns the key of a node: a digest of all frames from its root on. So a stack can be looked up
 * as a whole, innermost node first, without going through its parents, and callers that know their
 * next lookups can announce them. Two stacks with the same key would be taken for one: among ten
 * million of them the odds are one in 400,000.
 */
static inline uint64_t stack_key(uint64_t parent, uint32_t frame, bool apart)
{
	uint64_t k = (parent ^ ((uint64_t)frame << 1 | apart)) * 0x9e3779b97f4a7c15u;

	k = (k ^ k >> 32) * 0xbf58476d1ce4e5b9u;
	return k ^ k >> 29;
}

void stacks_done(struct stacks *s);

/* Returns the root of @context, which is made if there is none. */
uint32_t stacks_root(struct stacks *s, uint32_t context);

/* Returns the node of @frame below @parent, which is made if there is none. */
uint32_t stacks_child(struct stacks *s, uint32_t parent, uint32_t frame);

/* Does the same for a sampled function that is not part of the stack. */
uint32_t stacks_apart(struct stacks *s, uint32_t parent, uint32_t frame);

/*
 * stacks_find() returns the node with @key, or STACK_NONE; stacks_expect() announces that it will
 * be looked up.
 */
uint32_t stacks_find(const struct stacks *s, uint64_t key);
void stacks_expect(const struct stacks *s, uint64_t key);

/* Makes the node of @frame below @parent, which has @key and does not exist yet. */
uint32_t stacks_make(struct stacks *s, uint64_t key, uint32_t parent, uint32_t frame);

/*
 * Adds all of @from. @contexts gives the context in @s for each context of @from. Returns the node
 * in @s for each node of @from, which the caller frees.
 */
uint32_t *stacks_merge(struct stacks *s, const struct stacks *from, const uint32_t *contexts);

/* Makes a copy of @from, not settled, to which nothing can be added. */
void stacks_copy(struct stacks *ret, const struct stacks *from);

/*
 * Forgets samples of @w, so that the mean over many calls is @left of @of. *@random, whose value
 * changes, decides which samples are forgotten.
 */
void weight_thin(struct weight *w, unsigned left, unsigned of, uint64_t *random);

/*
 * Forgets samples at random, so that @left of @of are left. *@random, whose value changes, decides
 * which samples are forgotten. Samples stay whole and shares stay the same, however thinly they are
 * spread over nodes. Returns how many nodes still have a weight, and the total weight in
 * *@ret_total.
 */
size_t stacks_fade(struct stacks *s, unsigned left, unsigned of, uint64_t *random,
		   struct weight *ret_total);

/*
 * Sums up totals and links children, in the order in which they were made; nothing may be added
 * afterwards. O(n).
 */
void stacks_settle(struct stacks *s);

static inline bool stacks_is_root(const struct stacks *s, uint32_t node)
{
	return s->nodes[node].parent == STACK_NONE;
}
