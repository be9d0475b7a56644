/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A hash table from 64-bit numbers (ids, pids, addresses) to borrowed pointers.
 *
 * `struct u64_map m = { 0 };` is empty; u64_map_done() releases the table. A lookup takes no lock
 * and changes nothing.
 */
#include <stddef.h>
#include <stdint.h>

struct u64_map_entry {
	uint64_t key;
	void *value; /* NULL: a free slot */
};

struct u64_map {
	struct u64_map_entry *entries;
	size_t n, room; /* room is a power of two */
	uint64_t seed;  /* seed for base/hash.h; 0 while the map is empty */
};

/* Returns the value of @key, or NULL. O(1). */
void *u64_map_find(const struct u64_map *m, uint64_t key);

/* Begins to load what u64_map_find() of @key will look at first, when the table is large. */
void u64_map_prefetch(const struct u64_map *m, uint64_t key);

/* Stores @value, not NULL, under @key, and replaces the previous value. */
void u64_map_put(struct u64_map *m, uint64_t key, void *value);

/* Removes the value of @key from the map and returns it; NULL: there was none. */
void *u64_map_remove(struct u64_map *m, uint64_t key);

/* Calls @each for every entry, in an order that changes from run to run. */
void u64_map_for_each(const struct u64_map *m, void (*each)(void *arg, uint64_t key, void *value),
		      void *arg);

void u64_map_done(struct u64_map *m);
