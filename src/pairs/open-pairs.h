/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Begins that wait for their end: a hash table by key, from which entries are removed.
 *
 * `struct open_pairs o = { 0 };` is empty once open_pairs_init() was called. Linear probing; a
 * removed entry leaves no mark, as those behind it move up. The table never shrinks: its size is
 * that of the most begins that were open at once.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pairs/pair-rule.h"

struct open_pair {
	uint64_t keys[PAIR_KEYS_MAX];
	uint64_t begin_ns;
	uint32_t pid, tid, cpu; /* of the begin's sample */
	bool is_open;           /* false: a free place */
};

struct open_pairs {
	struct open_pair *items;
	size_t n, room;  /* room is a power of two */
	unsigned n_keys; /* that choose an entry; the others are only kept */
	uint64_t seed;
};

void open_pairs_init(struct open_pairs *o, unsigned n_keys);
void open_pairs_done(struct open_pairs *o);

/* The begin with the first keys of @keys, or NULL. Valid until the table changes. O(1). */
struct open_pair *open_pairs_find(const struct open_pairs *o, const uint64_t keys[PAIR_KEYS_MAX]);

/* Puts @p in place of the one with its key. Returns whether there was one. */
bool open_pairs_put(struct open_pairs *o, const struct open_pair *p);

/* Removes @p, which open_pairs_find() has given. */
void open_pairs_remove(struct open_pairs *o, struct open_pair *p);
