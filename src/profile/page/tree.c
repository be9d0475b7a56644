/* SPDX-License-Identifier: MIT */
#include "profile/page/tree.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "profile/page/page.h"

#define SLOTS_MIN 256

void page_tree_init(struct page_tree *t, struct page *p)
{
	*t = (struct page_tree){ .page = p, .n_slots = SLOTS_MIN, .seed = hash_seed() };
	t->slots = xcalloc(t->n_slots, sizeof(*t->slots));
	u64_map_put(&t->objects, (uintptr_t)p->objects.items[0], (void *)(uintptr_t)1);
}

void page_tree_done(struct page_tree *t)
{
	u64_map_done(&t->names);
	u64_map_done(&t->objects);
	free(t->slots);
}

uint32_t page_tree_name(struct page_tree *t, const char *name)
{
	const char *text = page_text(t->page, name);
	uintptr_t place = (uintptr_t)u64_map_find(&t->names, (uintptr_t)text);

	if (!place) {
		*ARRAY_ADD(&t->page->names) = text;
		place = t->page->names.n;
		u64_map_put(&t->names, (uintptr_t)text, (void *)place);
	}
	return (uint32_t)place - 1;
}

uint32_t page_tree_object(struct page_tree *t, const char *object)
{
	const char *text = page_text(t->page, object);
	uintptr_t place = (uintptr_t)u64_map_find(&t->objects, (uintptr_t)text);

	if (!place) {
		*ARRAY_ADD(&t->page->objects) = text;
		place = t->page->objects.n;
		u64_map_put(&t->objects, (uintptr_t)text, (void *)place);
	}
	return (uint32_t)place - 1;
}

static uint32_t *page_tree_slot_of(const struct page_tree *t, const struct page_node *wanted)
{
	const struct page_node *nodes = t->page->nodes.items;
	uint64_t h = hash_u64(t->seed, (uint64_t)wanted->parent << 32 | wanted->name);
	size_t i = hash_u64(t->seed, h ^ wanted->object);

	for (i &= t->n_slots - 1; t->slots[i]; i = (i + 1) & (t->n_slots - 1)) {
		const struct page_node *n = &nodes[t->slots[i] - 1];

		if (n->parent == wanted->parent && n->name == wanted->name &&
		    n->object == wanted->object)
			break;
	}
	return &t->slots[i];
}

static void page_tree_grow(struct page_tree *t)
{
	free(t->slots);
	t->n_slots *= 2;
	t->slots = xcalloc(t->n_slots, sizeof(*t->slots));
	for (uint32_t i = 1; i < t->page->nodes.n; i++)
		*page_tree_slot_of(t, &t->page->nodes.items[i]) = i + 1;
}

uint32_t page_tree_node(struct page_tree *t, uint32_t parent, uint32_t name, uint32_t object,
			enum flame_kind kind)
{
	const struct page_node node = {
		.parent = parent, .name = name, .object = object, .kind = kind
	};
	uint32_t *slot = page_tree_slot_of(t, &node);

	if (*slot) {
		struct page_node *n = &t->page->nodes.items[*slot - 1];

		/* The kind must not depend on which of the stacks came first. */
		if (kind < n->kind)
			n->kind = kind;
		return *slot - 1;
	}
	*ARRAY_ADD(&t->page->nodes) = node;
	*slot = (uint32_t)t->page->nodes.n;
	if (t->page->nodes.n * 2 > t->n_slots)
		page_tree_grow(t);
	return (uint32_t)t->page->nodes.n - 1;
}
