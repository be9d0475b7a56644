/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stores each text once: equal texts get the same pointer, so they can be compared by it.
 *
 * `struct intern t = { 0 };` is empty; intern_done() releases the texts with the table.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct intern {
	struct arena arena;
	const char **texts; /* NULL: a free slot */
	uint32_t *hashes;
	size_t n, room; /* room is a power of two */
	uint64_t seed;  /* seed for base/hash.h; 0 while the table is empty */
};

/* Returns the one copy of @s. It lives until intern_done(). */
const char *intern_text(struct intern *t, const char *s);

/* Returns the one copy of @s if it exists, or NULL. */
const char *intern_find(const struct intern *t, const char *s);

void intern_done(struct intern *t);
