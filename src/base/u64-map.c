/* SPDX-License-Identifier: MIT */
#include "base/u64-map.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

/* Returns the home of @key, for linear probing in a table at most half full. */
static size_t u64_map_home_of(const struct u64_map *m, uint64_t key)
{
	return (size_t)hash_u64(m->seed, key) & (m->room - 1);
}

/* Returns the entry of @key, or the free one where it belongs. */
static struct u64_map_entry *u64_map_entry_of(const struct u64_map *m, uint64_t key)
{
	size_t i = u64_map_home_of(m, key);

	while (m->entries[i].value && m->entries[i].key != key)
		i = (i + 1) & (m->room - 1);
	return &m->entries[i];
}

void *u64_map_find(const struct u64_map *m, uint64_t key)
{
	return m->room ? u64_map_entry_of(m, key)->value : NULL;
}

void u64_map_prefetch(const struct u64_map *m, uint64_t key)
{
	if (m->room)
		__builtin_prefetch(&m->entries[u64_map_home_of(m, key)]);
}

static void u64_map_grow(struct u64_map *m)
{
	struct u64_map bigger = { .n = m->n, .room = m->room ? 2 * m->room : 16 };

	bigger.seed = m->room ? m->seed : hash_seed();
	bigger.entries = xcalloc(bigger.room, sizeof(bigger.entries[0]));
	for (size_t i = 0; i < m->room; i++)
		if (m->entries[i].value)
			*u64_map_entry_of(&bigger, m->entries[i].key) = m->entries[i];
	free(m->entries);
	*m = bigger;
}

void u64_map_put(struct u64_map *m, uint64_t key, void *value)
{
	if (2 * (m->n + 1) > m->room)
		u64_map_grow(m);

	struct u64_map_entry *e = u64_map_entry_of(m, key);

	m->n += !e->value;
	*e = (struct u64_map_entry){ .key = key, .value = value };
}

void *u64_map_remove(struct u64_map *m, uint64_t key)
{
	struct u64_map_entry *e = m->room ? u64_map_entry_of(m, key) : NULL;
	void *value = e ? e->value : NULL;
	size_t mask = m->room - 1, hole;

	if (!value)
		return NULL;
	hole = (size_t)(e - m->entries);
	for (size_t i = (hole + 1) & mask; m->entries[i].value; i = (i + 1) & mask) {
		size_t home = u64_map_home_of(m, m->entries[i].key);

		/* An entry may move to the hole unless its home lies after the hole. */
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		m->entries[hole] = m->entries[i];
		hole = i;
	}
	m->entries[hole] = (struct u64_map_entry){ 0 };
	m->n--;
	return value;
}

void u64_map_for_each(const struct u64_map *m, void (*each)(void *arg, uint64_t key, void *value),
		      void *arg)
{
	for (size_t i = 0; i < m->room; i++)
		if (m->entries[i].value)
			each(arg, m->entries[i].key, m->entries[i].value);
}

void u64_map_done(struct u64_map *m)
{
	free(m->entries);
	*m = (struct u64_map){ 0 };
}
