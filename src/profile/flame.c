/* SPDX-License-Identifier: MIT */
#include "profile/flame.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "profile/weight.h"

#define SLOTS_MIN 256

/* A box while stacks are added. A parent has a smaller number than the boxes that stand on it. */
struct flame_node {
	const char *name, *object;
	uint32_t parent;
	enum flame_kind kind;
	struct flame_value value[N_FLAME_SIDES];
};

struct flame_builder {
	struct intern texts;
	struct {
		struct flame_node *items;
		size_t n, room;
	} nodes;
	uint32_t *slots; /* a hash table by parent and name: number + 1; 0: free */
	size_t n_slots;  /* a power of two */
	uint64_t seed;   /* for base/hash.h */
};

struct flame_builder *flame_builder_new(const char *all)
{
	struct flame_builder *b = xcalloc(1, sizeof(*b));

	b->n_slots = SLOTS_MIN;
	b->slots = xcalloc(b->n_slots, sizeof(*b->slots));
	b->seed = hash_seed();
	*ARRAY_ADD(&b->nodes) = (struct flame_node){
		.name = flame_builder_text(b, all),
		.object = flame_builder_text(b, ""),
		.parent = FLAME_NONE,
		.kind = FLAME_ALL,
	};
	return b;
}

void flame_builder_free(struct flame_builder *b)
{
	if (!b)
		return;
	intern_done(&b->texts);
	free(b->nodes.items);
	free(b->slots);
	free(b);
}

const char *flame_builder_text(struct flame_builder *b, const char *s)
{
	return intern_text(&b->texts, s);
}

static uint32_t *flame_slot_of(const struct flame_builder *b, uint32_t parent, const char *name)
{
	size_t i = hash_u64(b->seed, hash_u64(b->seed, parent) ^ (uintptr_t)name);

	for (i &= b->n_slots - 1; b->slots[i]; i = (i + 1) & (b->n_slots - 1)) {
		const struct flame_node *n = &b->nodes.items[b->slots[i] - 1];

		if (n->parent == parent && n->name == name)
			break;
	}
	return &b->slots[i];
}

static void flame_grow(struct flame_builder *b)
{
	free(b->slots);
	b->n_slots *= 2;
	b->slots = xcalloc(b->n_slots, sizeof(*b->slots));
	for (uint32_t i = 1; i < b->nodes.n; i++) {
		const struct flame_node *n = &b->nodes.items[i];

		*flame_slot_of(b, n->parent, n->name) = i + 1;
	}
}

/* Sets the object, so that it does not depend on which stack came first. */
static void settle_object(struct flame_node *n, const char *object)
{
	if (n->object != object && strcmp(object, n->object) < 0)
		n->object = object;
}

uint32_t flame_builder_box(struct flame_builder *b, uint32_t parent, const char *name,
			   const char *object, enum flame_kind kind)
{
	uint32_t *slot = flame_slot_of(b, parent, name);

	if (*slot) {
		struct flame_node *n = &b->nodes.items[*slot - 1];

		if (kind < n->kind)
			n->kind = kind;
		settle_object(n, object);
		return *slot - 1;
	}
	*ARRAY_ADD(&b->nodes) = (struct flame_node){
		.name = name,
		.object = object,
		.parent = parent,
		.kind = kind,
	};
	*slot = (uint32_t)b->nodes.n;
	if (b->nodes.n * 2 > b->n_slots)
		flame_grow(b);
	return (uint32_t)b->nodes.n - 1;
}

/*
 * Adds two weights without overflow. Weights may be absurdly large, but a box must never be larger
 * than the one it stands on.
 */
static uint64_t flame_sum_of(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

void flame_builder_weigh(struct flame_builder *b, uint32_t box, enum flame_side side,
			 uint64_t weight)
{
	struct flame_value *v = &b->nodes.items[box].value[side];

	v->self = flame_sum_of(v->self, weight);
}

/* Sums up the weights. Parents have smaller numbers, so one walk from the end is enough. */
static void flame_sum_up(struct flame_builder *b)
{
	for (size_t i = b->nodes.n; i-- > 0;) {
		struct flame_node *n = &b->nodes.items[i];

		for (size_t s = 0; s < N_FLAME_SIDES; s++) {
			struct flame_value *v = &n->value[s], *below;

			v->total = flame_sum_of(v->total, v->self);
			if (n->parent == FLAME_NONE)
				continue;
			below = &b->nodes.items[n->parent].value[s];
			below->total = flame_sum_of(below->total, v->total);
		}
	}
}

static bool has_weight(const struct flame_node *n)
{
	return n->value[FLAME_AFTER].total || n->value[FLAME_BEFORE].total;
}

/* The children of each node, grouped by parent: those of node i from @first[i] to @first[i+1]. */
struct families {
	uint32_t *first;
	uint32_t *children;
};

static int flame_by_name(const void *a, const void *b, void *nodes)
{
	const struct flame_node *items = nodes;

	return strcmp(items[*(const uint32_t *)a].name, items[*(const uint32_t *)b].name);
}

static struct families find_families(const struct flame_builder *b)
{
	size_t n = b->nodes.n;
	const struct flame_node *nodes = b->nodes.items;
	struct families f = { xcalloc(n + 2, sizeof(*f.first)), xcalloc(n, sizeof(*f.children)) };

	/*
	 * First, first[i + 2] counts the children of i. Then first[i + 1] is where the next child
	 * of i goes.
	 */
	for (size_t i = 1; i < n; i++)
		f.first[nodes[i].parent + 2] += has_weight(&nodes[i]);
	for (size_t i = 2; i < n + 2; i++)
		f.first[i] += f.first[i - 1];
	for (size_t i = 1; i < n; i++)
		if (has_weight(&nodes[i]))
			f.children[f.first[nodes[i].parent + 1]++] = (uint32_t)i;
	for (size_t i = 0; i < n; i++)
		qsort_r(f.children + f.first[i], f.first[i + 1] - f.first[i], sizeof(uint32_t),
			flame_by_name, b->nodes.items);
	return f;
}

static void families_done(struct families *f)
{
	free(f->first);
	free(f->children);
}

static uint32_t flame_add_box(struct flame *f, const struct flame_node *n, uint32_t parent)
{
	struct flame_box *box = &f->boxes[f->n];

	*box = (struct flame_box){
		.name = n->name,
		.object = n->object,
		.parent = parent,
		.depth = parent == FLAME_NONE ? 0 : f->boxes[parent].depth + 1,
		.kind = n->kind,
	};
	memcpy(box->value, n->value, sizeof(box->value));
	if (box->depth > f->depth)
		f->depth = box->depth;
	return (uint32_t)f->n++;
}

/* Sorts the boxes. Stacks may be deep, so there is no recursion. */
static void put_in_order(struct flame *f, const struct flame_builder *b, const struct families *fam)
{
	/* For each open box: the index, among the children, of its next one. */
	uint32_t *next = xcalloc(b->nodes.n, sizeof(*next));
	uint32_t *node_of = xcalloc(b->nodes.n, sizeof(*node_of));
	uint32_t at = flame_add_box(f, &b->nodes.items[0], FLAME_NONE);

	next[0] = fam->first[0];
	while (at != FLAME_NONE) {
		if (next[at] < fam->first[node_of[at] + 1]) {
			uint32_t node = fam->children[next[at]++];

			at = flame_add_box(f, &b->nodes.items[node], at);
			node_of[at] = node;
			next[at] = fam->first[node];
		} else {
			f->boxes[at].end = (uint32_t)f->n;
			at = f->boxes[at].parent;
		}
	}
	free(next);
	free(node_of);
}

struct flame *flame_builder_finish(struct flame_builder *b, bool is_comparison)
{
	struct flame *f = xcalloc(1, sizeof(*f));
	_cleanup_(families_done) struct families families = { 0 };

	flame_sum_up(b);
	families = find_families(b);
	f->is_comparison = is_comparison;
	f->boxes = xcalloc(b->nodes.n, sizeof(*f->boxes));
	put_in_order(f, b, &families);
	f->texts = b->texts;
	b->texts = (struct intern){ 0 };
	return f;
}

void flame_free(struct flame *f)
{
	if (!f)
		return;
	intern_done(&f->texts);
	free(f->boxes);
	free(f);
}

double flame_share(const struct flame *f, const struct flame_box *box, enum flame_side side)
{
	return percent_of(box->value[side].total, f->boxes[0].value[side].total);
}
