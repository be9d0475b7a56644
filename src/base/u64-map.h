/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A hash table from 64-bit numbers (ids, pids, addresses) to pointers, which it only borrows.
 *
 * `struct u64_map m = { 0 };` is empty; u64_map_done() releases the table. Looking up takes no lock
 * and changes nothing.
 */
#include <stddef.h>
#include <stdint.h>

struct u64_map_entry {
	uint64_t key;
	void *value; /* NULL: free */
};

struct u64_map {
	struct u64_map_entry *entries;
	size_t n, room; /* room is a power of two */
	uint64_t seed;  /* of base/hash.h; 0 while it is empty */
};

/* What was put under @key, or NULL. O(1). */
void *u64_map_find(const struct u64_map *m, uint64_t key);

/* Puts @value, not NULL, under @key, in place of what was there. */
void u64_map_put(struct u64_map *m, uint64_t key, void *value);

/* What was under @key is no longer in the map. Returns it; NULL: nothing was. */
void *u64_map_remove(struct u64_map *m, uint64_t key);

/* Calls @each for every entry, in an order that changes from run to run. */
void u64_map_for_each(const struct u64_map *m, void (*each)(void *arg, uint64_t key, void *value),
		      void *arg);

void u64_map_done(struct u64_map *m);
