/* SPDX-License-Identifier: MIT */
#include "profile/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"

#define SLOTS_MIN 4096

void stacks_done(struct stacks *s)
{
	free(s->nodes);
	free(s->weights);
	free(s->keys);
	free(s->apart);
	free(s->slots);
	*s = (struct stacks){ 0 };
}

/*
 * Returns the slot of @key. Keys are as good as random in all their bits, and cannot be predicted
 * from outside.
 */
static struct stack_slot *stacks_slot_of(const struct stacks *s, uint64_t key)
{
	size_t i = key & (s->n_slots - 1);

	while (s->slots[i].node != STACK_NONE && s->slots[i].key != key)
		i = (i + 1) & (s->n_slots - 1);
	return &s->slots[i];
}

static void stacks_grow(struct stacks *s)
{
	struct stack_slot *old = s->slots;
	size_t n = s->n_slots;

	s->n_slots = n ? n * 2 : SLOTS_MIN;
	s->slots = xmalloc(s->n_slots * sizeof(*s->slots));
	for (size_t i = 0; i < s->n_slots; i++)
		s->slots[i].node = STACK_NONE;
	for (size_t i = 0; i < n; i++)
		if (old[i].node != STACK_NONE)
			*stacks_slot_of(s, old[i].key) = old[i];
	free(old);
}

uint32_t stacks_find(const struct stacks *s, uint64_t key)
{
	return s->n_slots ? stacks_slot_of(s, key)->node : STACK_NONE;
}

void stacks_expect(const struct stacks *s, uint64_t key)
{
	if (s->n_slots)
		__builtin_prefetch(&s->slots[key & (s->n_slots - 1)]);
}

static uint32_t profile_stacks_make(struct stacks *s, uint64_t key, struct stack_node node,
				    bool apart)
{
	if (s->n * 2 >= s->n_slots)
		stacks_grow(s);
	s->nodes = array_reserve(s->nodes, &s->room, s->n + 1, sizeof(*s->nodes));
	s->weights = array_reserve(s->weights, &s->weights_room, s->n + 1, sizeof(*s->weights));
	s->keys = array_reserve(s->keys, &s->keys_room, s->n + 1, sizeof(*s->keys));
	s->apart = array_reserve(s->apart, &s->apart_room, s->n + 1, sizeof(*s->apart));
	node.child = node.next = STACK_NONE;
	s->nodes[s->n] = node;
	s->weights[s->n] = (struct stack_weight){ 0 };
	s->keys[s->n] = key;
	s->apart[s->n] = apart;
	*stacks_slot_of(s, key) = (struct stack_slot){ .key = key, .node = (uint32_t)s->n };
	return (uint32_t)s->n++;
}

uint32_t stacks_make(struct stacks *s, uint64_t key, uint32_t parent, uint32_t frame)
{
	return profile_stacks_make(s, key, (struct stack_node){ .parent = parent, .frame = frame },
				   false);
}

static uint32_t stacks_add(struct stacks *s, uint32_t parent, uint32_t frame, bool apart)
{
	uint64_t key = stack_key(parent == STACK_NONE ? s->root_key : s->keys[parent], frame,
				 apart);
	uint32_t node = stacks_find(s, key);

	return node != STACK_NONE
		       ? node
		       : profile_stacks_make(
				 s, key, (struct stack_node){ .parent = parent, .frame = frame },
				 apart);
}

uint32_t stacks_root(struct stacks *s, uint32_t context)
{
	if (!s->root_key)
		s->root_key = hash_seed();
	return stacks_add(s, STACK_NONE, context, false);
}

uint32_t stacks_child(struct stacks *s, uint32_t parent, uint32_t frame)
{
	return stacks_add(s, parent, frame, false);
}

uint32_t stacks_apart(struct stacks *s, uint32_t parent, uint32_t frame)
{
	return stacks_add(s, parent, frame, true);
}

/* Returns the keys that the nodes of @from have below the roots of @s; the caller frees them. */
static uint64_t *keys_here(const struct stacks *s, const struct stacks *from,
			   const uint32_t *contexts)
{
	uint64_t *keys = xmalloc((from->n + 1) * sizeof(*keys));

	for (size_t i = 0; i < from->n; i++) {
		const struct stack_node *n = &from->nodes[i];

		keys[i] = n->parent == STACK_NONE
				  ? stack_key(s->root_key, contexts[n->frame], false)
				  : stack_key(keys[n->parent], n->frame, from->apart[i]);
	}
	return keys;
}

/* A node is announced this many nodes before its turn, because most are in no cache. */
#define AHEAD 16

uint32_t *stacks_merge(struct stacks *s, const struct stacks *from, const uint32_t *contexts)
{
	uint32_t *here = xmalloc((from->n + 1) * sizeof(*here));
	_cleanup_(freep) uint64_t *keys = NULL;

	if (!s->root_key)
		s->root_key = hash_seed();
	keys = keys_here(s, from, contexts);
	for (size_t i = 0; i < from->n; i++) {
		struct stack_node n = from->nodes[i];
		bool is_root = n.parent == STACK_NONE;

		if (i + AHEAD < from->n)
			stacks_expect(s, keys[i + AHEAD]);
		here[i] = stacks_find(s, keys[i]);
		if (here[i] == STACK_NONE) {
			n.parent = is_root ? STACK_NONE : here[n.parent];
			n.frame = is_root ? contexts[n.frame] : n.frame;
			here[i] = profile_stacks_make(s, keys[i], n, from->apart[i]);
		}
		if (from->weights[i].self.samples)
			stack_weight_add(&s->weights[here[i]], from->weights[i].self,
					 from->weights[i].first, from->weights[i].first_task);
	}
	return here;
}

void stacks_copy(struct stacks *ret, const struct stacks *from)
{
	size_t n = from->n;

	*ret = (struct stacks){ .n = n, .room = n, .weights_room = n, .apart_room = n };
	ret->nodes = xcalloc(n + 1, sizeof(*ret->nodes));
	ret->weights = xcalloc(n + 1, sizeof(*ret->weights));
	ret->apart = xcalloc(n + 1, sizeof(*ret->apart));
	if (!n)
		return;
	memcpy(ret->nodes, from->nodes, n * sizeof(*ret->nodes));
	memcpy(ret->weights, from->weights, n * sizeof(*ret->weights));
	memcpy(ret->apart, from->apart, n * sizeof(*ret->apart));
}

/*
 * Returns the next random number, with xorshift64: the choice of samples need not be secret, only
 * fair.
 */
static uint64_t random_next(uint64_t *state)
{
	uint64_t x = *state ? *state : 0x9e3779b97f4a7c15u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return *state = x;
}

/* Returns a part of @n, such that the mean over many calls is @left / @of of it. */
static uint64_t stacks_thin(uint64_t n, unsigned left, unsigned of, uint64_t *random)
{
	uint64_t part = n % of * left, rest = part % of;

	return n / of * left + part / of + (rest && random_next(random) % of < rest);
}

void weight_thin(struct weight *w, unsigned left, unsigned of, uint64_t *random)
{
	uint64_t samples;

	if (!w->samples)
		return;
	samples = stacks_thin(w->samples, left, of, random);
	w->period = w->period / w->samples * samples +
		    w->period % w->samples * samples / w->samples;
	w->samples = samples;
}

size_t stacks_fade(struct stacks *s, unsigned left, unsigned of, uint64_t *random,
		   struct weight *ret_total)
{
	struct weight total = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct weight *w = &s->weights[i].self;

		weight_thin(w, left, of, random);
		weight_add(&total, *w);
		n += w->samples > 0;
	}
	*ret_total = total;
	return n;
}

/* Releases the memory for nodes to come. */
static void stacks_trim(struct stacks *s)
{
	if (!s->n)
		return;
	s->nodes = xrealloc(s->nodes, s->n * sizeof(*s->nodes));
	s->weights = xrealloc(s->weights, s->n * sizeof(*s->weights));
	s->apart = xrealloc(s->apart, s->n * sizeof(*s->apart));
	s->room = s->weights_room = s->apart_room = s->n;
}

void stacks_settle(struct stacks *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->weights[i].total = s->weights[i].self;
	/* Children come after their parents, so they are linked from the last to the first. */
	for (size_t i = s->n; i-- > 0;) {
		struct stack_node *n = &s->nodes[i], *parent;

		if (n->parent == STACK_NONE)
			continue;
		parent = &s->nodes[n->parent];
		weight_add(&s->weights[n->parent].total, s->weights[i].total);
		n->next = parent->child;
		parent->child = (uint32_t)i;
	}
	free(s->slots);
	free(s->keys);
	s->slots = NULL;
	s->keys = NULL;
	s->n_slots = 0;
	stacks_trim(s);
}
