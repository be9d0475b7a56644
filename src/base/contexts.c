/* SPDX-License-Identifier: MIT */
#include "base/contexts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define SLOTS_MIN 64

void contexts_init(struct contexts *c, size_t width)
{
	*c = (struct contexts){ .width = width, .n_slots = SLOTS_MIN, .seed = hash_seed() };
	c->slots = xcalloc(c->n_slots, sizeof(*c->slots));
}

void contexts_done(struct contexts *c)
{
	free(c->values);
	free(c->slots);
	*c = (struct contexts){ 0 };
}

const uint64_t *contexts_get(const struct contexts *c, uint32_t i)
{
	return c->values + i * c->width;
}

static uint64_t contexts_hash(const struct contexts *c, const uint64_t *values)
{
	uint64_t h = 0;

	for (size_t i = 0; i < c->width; i++)
		h = hash_u64(c->seed, h ^ values[i]);
	return h;
}

/*
 * Compares from the end, because the last values differ most: keys are often a place in a table
 * followed by its content.
 */
static bool contexts_is_same(const struct contexts *c, const uint64_t *a, const uint64_t *b)
{
	for (size_t i = c->width; i-- > 0;)
		if (a[i] != b[i])
			return false;
	return true;
}

static uint32_t *contexts_slot_of(const struct contexts *c, const uint64_t *values)
{
	size_t i = contexts_hash(c, values) & (c->n_slots - 1);

	while (c->slots[i] && !contexts_is_same(c, contexts_get(c, c->slots[i] - 1), values))
		i = (i + 1) & (c->n_slots - 1);
	return &c->slots[i];
}

static void contexts_grow(struct contexts *c)
{
	free(c->slots);
	c->n_slots *= 2;
	c->slots = xcalloc(c->n_slots, sizeof(*c->slots));
	for (uint32_t i = 0; i < c->n; i++) {
		size_t at = contexts_hash(c, contexts_get(c, i)) & (c->n_slots - 1);

		while (c->slots[at])
			at = (at + 1) & (c->n_slots - 1);
		c->slots[at] = i + 1;
	}
}

uint32_t contexts_add(struct contexts *c, const uint64_t *values)
{
	uint32_t *slot = contexts_slot_of(c, values);

	if (*slot)
		return *slot - 1;
	c->values = array_reserve(c->values, &c->room, (c->n + 1) * c->width + 1,
				  sizeof(*c->values));
	memcpy(c->values + c->n * c->width, values, c->width * sizeof(*values));
	*slot = (uint32_t)++c->n;
	if (c->n * 2 > c->n_slots)
		contexts_grow(c);
	return (uint32_t)c->n - 1;
}
