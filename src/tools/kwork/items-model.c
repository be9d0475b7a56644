/* SPDX-License-Identifier: MIT */
#include "tools/kwork/items-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define SLOTS_MIN 64

void kwork_items_init(struct kwork_items *t)
{
	*t = (struct kwork_items){ .n_slots = SLOTS_MIN, .seed = hash_seed() };
	t->slots = xcalloc(t->n_slots, sizeof(*t->slots));
}

static void begins_done(struct kwork_begins *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->items[i].stack);
	free(b->items);
}

void kwork_items_done(struct kwork_items *t)
{
	for (size_t i = 0; i < t->n; i++) {
		begins_done(&t->items[i]->raised);
		begins_done(&t->items[i]->begun);
		free(t->items[i]->name);
		free(t->items[i]);
	}
	free(t->items);
	free(t->slots);
}

static size_t kwork_items_slot_of(const struct kwork_items *t, enum kwork_class class, uint32_t cpu,
				  uint64_t id)
{
	uint64_t where = (uint64_t) class << 32 | cpu;

	return hash_u64(t->seed, hash_u64(t->seed, id) ^ where) & (t->n_slots - 1);
}

static bool kwork_items_is_it(const struct kwork_item *item, enum kwork_class class, uint32_t cpu,
			      uint64_t id)
{
	return item->id == id && item->cpu == cpu && item->class == class;
}

/* Returns the slot of the item, or the free slot for it. */
static uint32_t *kwork_items_find_slot(const struct kwork_items *t, enum kwork_class class,
				       uint32_t cpu, uint64_t id)
{
	size_t at = kwork_items_slot_of(t, class, cpu, id);

	while (t->slots[at] && !kwork_items_is_it(t->items[t->slots[at] - 1], class, cpu, id))
		at = (at + 1) & (t->n_slots - 1);
	return &t->slots[at];
}

static void kwork_items_grow(struct kwork_items *t)
{
	free(t->slots);
	t->n_slots *= 2;
	t->slots = xcalloc(t->n_slots, sizeof(*t->slots));
	for (size_t i = 0; i < t->n; i++) {
		const struct kwork_item *item = t->items[i];

		*kwork_items_find_slot(t, item->class, item->cpu, item->id) = (uint32_t)i + 1;
	}
}

struct kwork_item *kwork_items_find(const struct kwork_items *t, enum kwork_class class,
				    uint32_t cpu, uint64_t id)
{
	uint32_t slot = *kwork_items_find_slot(t, class, cpu, id);

	return slot ? t->items[slot - 1] : NULL;
}

struct kwork_item *kwork_items_get(struct kwork_items *t, enum kwork_class class, uint32_t cpu,
				   uint64_t id)
{
	uint32_t *slot = kwork_items_find_slot(t, class, cpu, id);
	struct kwork_item *item;

	if (*slot)
		return t->items[*slot - 1];
	item = xcalloc(1, sizeof(*item));
	item->class = class;
	item->cpu = cpu;
	item->id = id;
	*ARRAY_ADD(t) = item;
	*slot = (uint32_t)t->n;
	if (t->n * 2 > t->n_slots)
		kwork_items_grow(t);
	return item;
}

/*
 * Returns @now - @before, at least 0: counts that are read while they change may seem to decrease.
 */
static uint64_t kwork_items_difference(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

void kwork_items_subtract(const struct kwork_items *t, const struct kwork_items *before,
			  struct kwork_items *ret)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct kwork_item *now = t->items[i];
		const struct kwork_item *old = kwork_items_find(before, now->class, now->cpu,
								now->id);
		struct kwork_item *item = kwork_items_get(ret, now->class, now->cpu, now->id);

		item->name = now->name ? xstrdup(now->name) : NULL;
		item->sum_ns = kwork_items_difference(now->sum_ns, old ? old->sum_ns : 0);
		/*
		 * A run that was open at both times counts as one run, because it went on in
		 * between.
		 */
		item->count = kwork_items_difference(now->count, old ? old->count : 0);
		item->count += !item->count && item->sum_ns;
	}
}

void kwork_item_add(struct kwork_item *item, uint64_t begin, uint64_t end)
{
	uint64_t ns = end > begin ? end - begin : 0;

	item->count++;
	item->sum_ns += ns;
	if (ns <= item->max_ns && item->count > 1)
		return;
	item->max_ns = ns;
	item->max_begin = begin;
	item->max_end = end;
}

static void give_up_older(struct kwork_begins *b)
{
	size_t half = b->n / 2;

	for (size_t i = 0; i < half; i++)
		free(b->items[i].stack);
	memmove(b->items, b->items + half, (b->n - half) * sizeof(*b->items));
	b->n -= half;
	b->given_up += half;
}

void kwork_begins_push(struct kwork_begins *b, struct kwork_begin begin)
{
	if (b->n == KWORK_BEGINS_MAX)
		give_up_older(b);
	*ARRAY_ADD(b) = begin;
}

bool kwork_begins_pop(struct kwork_begins *b, struct kwork_begin *ret)
{
	if (!b->n)
		return false;
	*ret = b->items[--b->n];
	return true;
}

uint64_t kwork_begins_unmatched(const struct kwork_begins *b)
{
	return b->n + b->given_up;
}
