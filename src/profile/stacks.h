/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks merged by their outer frames: a trie, whose nodes are 32-bit numbers.
 *
 * Below the roots, which are told apart by a number of the caller's (its context), a node is a
 * frame in the place that its parents say: parent is caller. A stack is its innermost node, and
 * samples weigh there. A million equal stacks cost one node. Parents have smaller numbers than
 * children.
 *
 * The function that was sampled need not be the innermost of the recorded stack (there may be none
 * at all): it then hangs below the stack as a node that is *apart*, and is no part of call trees.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/weight.h"

#define STACK_NONE UINT32_MAX

/* Small: there are many, and a stack is found by looking at them one after the other. */
struct stack_node {
	uint32_t parent;      /* STACK_NONE: a root */
	uint32_t frame;       /* of a root: its context */
	uint32_t child, next; /* after stacks_settle(): its first child, the next of its parent */
};

struct stack_weight {
	struct weight self;  /* of samples right here */
	struct weight total; /* after stacks_settle(): and in all below */
	uint64_t first;      /* when the first of the samples right here came */
	uint32_t first_task; /* and whose it was */
};

/* Adds samples, the first of which came at @when. */
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
	struct stack_weight *weights; /* of each node */
	uint64_t *keys;               /* of each node */
	uint8_t *apart;               /* of each node */
	size_t n, room, weights_room, keys_room, apart_room;
	struct stack_slot *slots; /* a hash table by key; NULL once settled */
	size_t n_slots;           /* a power of two */
	uint64_t root_key;        /* of what all roots are below: the seed of base/hash.h */
};

/*
 * A node's key is a digest of all frames from its root on. So a stack is looked for as a whole,
 * innermost node first, without going through its parents; and those who know where they will look
 * can say so beforehand. Two stacks with the same key would be taken for one: among ten million of
 * them the odds are one in 400,000.
 */
static inline uint64_t stack_key(uint64_t parent, uint32_t frame, bool apart)
{
	uint64_t k = (parent ^ ((uint64_t)frame << 1 | apart)) * 0x9e3779b97f4a7c15u;

	k = (k ^ k >> 32) * 0xbf58476d1ce4e5b9u;
	return k ^ k >> 29;
}

void stacks_done(struct stacks *s);

/* The root of @context; made if there is none. */
uint32_t stacks_root(struct stacks *s, uint32_t context);

/* The node of @frame below @parent; made if there is none. */
uint32_t stacks_child(struct stacks *s, uint32_t parent, uint32_t frame);

/* The same for a sampled function that is no part of the stack. */
uint32_t stacks_apart(struct stacks *s, uint32_t parent, uint32_t frame);

/* The node with @key, or STACK_NONE; and a hint that it will be asked for. */
uint32_t stacks_find(const struct stacks *s, uint64_t key);
void stacks_expect(const struct stacks *s, uint64_t key);

/* Makes the node of @frame below @parent, which has @key and is not there yet. */
uint32_t stacks_make(struct stacks *s, uint64_t key, uint32_t parent, uint32_t frame);

/*
 * Adds all of @from. @contexts tells the context here for each there. Returns the node here of each
 * node there, which the caller frees.
 */
uint32_t *stacks_merge(struct stacks *s, const struct stacks *from, const uint32_t *contexts);

/* A copy of @from, not settled, to which nothing can be added. */
void stacks_copy(struct stacks *ret, const struct stacks *from);

/*
 * Forgets samples of @w, so that the mean over many is @left of @of. Which ones go is said by
 * *@random, whose value changes.
 */
void weight_thin(struct weight *w, unsigned left, unsigned of, uint64_t *random);

/*
 * Forgets samples at random, so that @left of @of are left. Which ones go is said by *@random,
 * whose value changes. Samples stay whole and shares stay what they are, however thin they are
 * spread over nodes. Returns how many nodes still weigh something, and what all of them weigh
 * together in
 * *@ret_total.
 */
size_t stacks_fade(struct stacks *s, unsigned left, unsigned of, uint64_t *random,
		   struct weight *ret_total);

/* Sums up totals and links children, the first made first; nothing may be added any more. O(n). */
void stacks_settle(struct stacks *s);

static inline bool stacks_is_root(const struct stacks *s, uint32_t node)
{
	return s->nodes[node].parent == STACK_NONE;
}
