/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A hash table from 64-bit numbers to borrowed pointers, which any number of threads may read while
 * one of them adds to it.
 *
 * `struct shared_map m = { 0 };` is empty; shared_map_done() releases the table. Entries are never
 * changed or removed. A thread that adds holds a lock of the caller's, so that no other thread
 * adds. Reading takes no lock and may miss an entry that is being added at the same moment: look
 * again under the lock before adding.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct shared_map_table;

struct shared_map {
	_Atomic(struct shared_map_table *) table; /* NULL: empty */
};

/* Returns the value of @key, or NULL. O(1). */
void *shared_map_find(const struct shared_map *m, uint64_t key);

/* Stores @value, not NULL, under @key, which must not be there yet. */
void shared_map_put(struct shared_map *m, uint64_t key, void *value);

/* Calls @each for every entry, in an order that changes from run to run. */
void shared_map_for_each(const struct shared_map *m,
			 void (*each)(void *arg, uint64_t key, void *value), void *arg);

/* Releases the table. To be called when no thread reads it any more. */
void shared_map_done(struct shared_map *m);
