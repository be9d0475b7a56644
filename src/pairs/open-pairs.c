/* SPDX-License-Identifier: MIT */
#include "pairs/open-pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define ROOM_FIRST 64

void open_pairs_init(struct open_pairs *o, unsigned n_keys)
{
	*o = (struct open_pairs){ .n_keys = n_keys, .seed = hash_seed(), .room = ROOM_FIRST };
	o->items = xcalloc(o->room, sizeof(*o->items));
}

void open_pairs_done(struct open_pairs *o)
{
	free(o->items);
	*o = (struct open_pairs){ 0 };
}

static size_t open_pairs_home_of(const struct open_pairs *o, const uint64_t *keys)
{
	uint64_t hash = 0;

	for (unsigned i = 0; i < o->n_keys; i++)
		hash = hash_u64(o->seed, hash ^ keys[i]);
	return (size_t)hash & (o->room - 1);
}

/* The place of @keys: where they are, or the free one where they would go. */
static struct open_pair *open_pairs_place_of(const struct open_pairs *o, const uint64_t *keys)
{
	size_t i = open_pairs_home_of(o, keys);

	while (o->items[i].is_open &&
	       memcmp(o->items[i].keys, keys, o->n_keys * sizeof(*keys)) != 0)
		i = (i + 1) & (o->room - 1);
	return &o->items[i];
}

struct open_pair *open_pairs_find(const struct open_pairs *o, const uint64_t keys[PAIR_KEYS_MAX])
{
	struct open_pair *p = open_pairs_place_of(o, keys);

	return p->is_open ? p : NULL;
}

static void open_pairs_grow(struct open_pairs *o)
{
	struct open_pair *old = o->items;
	size_t n = o->room;

	o->room *= 2;
	o->items = xcalloc(o->room, sizeof(*o->items));
	for (size_t i = 0; i < n; i++)
		if (old[i].is_open)
			*open_pairs_place_of(o, old[i].keys) = old[i];
	free(old);
}

bool open_pairs_put(struct open_pairs *o, const struct open_pair *p)
{
	struct open_pair *place = open_pairs_place_of(o, p->keys);
	bool was_open = place->is_open;

	*place = *p;
	place->is_open = true;
	o->n += !was_open;
	if (2 * o->n > o->room)
		open_pairs_grow(o);
	return was_open;
}

void open_pairs_remove(struct open_pairs *o, struct open_pair *p)
{
	size_t mask = o->room - 1, hole = (size_t)(p - o->items);

	for (size_t i = (hole + 1) & mask; o->items[i].is_open; i = (i + 1) & mask) {
		size_t home = open_pairs_home_of(o, o->items[i].keys);

		/* It may move up to the hole unless its home lies behind the hole. */
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		o->items[hole] = o->items[i];
		hole = i;
	}
	o->items[hole].is_open = false;
	o->n--;
}
