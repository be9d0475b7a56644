/* SPDX-License-Identifier: MIT */
#include "base/shared-map.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

#define ROOM_MIN 64

struct shared_map_entry {
	_Atomic uint64_t key;
	_Atomic(void *) value; /* NULL: free. Stored after the key, so a reader of it sees both */
};

struct shared_map_table {
	struct shared_map_table *older; /* a thread may still be reading it */
	size_t n, room;                 /* room is a power of two; at most half of it is used */
	uint64_t seed;                  /* seed for base/hash.h */
	struct shared_map_entry entries[];
};

static size_t shared_map_home_of(const struct shared_map_table *t, uint64_t key)
{
	return (size_t)hash_u64(t->seed, key) & (t->room - 1);
}

void *shared_map_find(const struct shared_map *m, uint64_t key)
{
	const struct shared_map_table *t = atomic_load_explicit(&m->table, memory_order_acquire);

	if (!t)
		return NULL;
	for (size_t i = shared_map_home_of(t, key);; i = (i + 1) & (t->room - 1)) {
		const struct shared_map_entry *e = &t->entries[i];
		void *value = atomic_load_explicit(&e->value, memory_order_acquire);

		if (!value || atomic_load_explicit(&e->key, memory_order_relaxed) == key)
			return value;
	}
}

static void shared_map_add(struct shared_map_table *t, uint64_t key, void *value)
{
	size_t i = shared_map_home_of(t, key);

	while (atomic_load_explicit(&t->entries[i].value, memory_order_relaxed))
		i = (i + 1) & (t->room - 1);
	atomic_store_explicit(&t->entries[i].key, key, memory_order_relaxed);
	atomic_store_explicit(&t->entries[i].value, value, memory_order_release);
	t->n++;
}

static void copy_entry(void *arg, uint64_t key, void *value)
{
	shared_map_add(arg, key, value);
}

/*
 * Makes a table of twice the size with the same entries. All older tables together are as large as
 * the new one.
 */
static struct shared_map_table *shared_map_grow(struct shared_map *m,
						struct shared_map_table *older)
{
	size_t room = older ? 2 * older->room : ROOM_MIN;
	struct shared_map_table *t = xcalloc(1, sizeof(*t) + room * sizeof(t->entries[0]));

	t->older = older;
	t->room = room;
	t->seed = older ? older->seed : hash_seed();
	shared_map_for_each(m, copy_entry, t);
	atomic_store_explicit(&m->table, t, memory_order_release);
	return t;
}

void shared_map_put(struct shared_map *m, uint64_t key, void *value)
{
	struct shared_map_table *t = atomic_load_explicit(&m->table, memory_order_relaxed);

	if (!t || 2 * (t->n + 1) > t->room)
		t = shared_map_grow(m, t);
	shared_map_add(t, key, value);
}

void shared_map_for_each(const struct shared_map *m,
			 void (*each)(void *arg, uint64_t key, void *value), void *arg)
{
	struct shared_map_table *t = atomic_load_explicit(&m->table, memory_order_acquire);

	for (size_t i = 0; t && i < t->room; i++) {
		void *value = atomic_load_explicit(&t->entries[i].value, memory_order_acquire);

		if (value)
			each(arg, atomic_load_explicit(&t->entries[i].key, memory_order_relaxed),
			     value);
	}
}

void shared_map_done(struct shared_map *m)
{
	struct shared_map_table *t = atomic_load_explicit(&m->table, memory_order_relaxed);

	while (t) {
		struct shared_map_table *older = t->older;

		free(t);
		t = older;
	}
	atomic_store_explicit(&m->table, NULL, memory_order_relaxed);
}
