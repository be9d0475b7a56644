/* SPDX-License-Identifier: MIT */
#include "datafile/chunks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define CHUNK_SIZE (256u << 10)

struct chunk {
	struct chunk *next;
	uint64_t lent_until; /* the largest position given to chunks_take() */
	size_t taken, filled, size;
	uint8_t bytes[];
};

void chunks_done(struct chunks *c)
{
	while (c->first) {
		struct chunk *next = c->first->next;

		free(c->first);
		c->first = next;
	}
	c->last = NULL;
}

size_t chunks_available(const struct chunks *c)
{
	return c->last ? c->last->filled - c->last->taken : 0;
}

const uint8_t *chunks_bytes(const struct chunks *c)
{
	return c->last ? c->last->bytes + c->last->taken : NULL;
}

/* Adds a new last chunk, with the available bytes at its front. */
static void chunk_add(struct chunks *c)
{
	size_t carried = chunks_available(c);
	size_t size = carried < CHUNK_SIZE / 2 ? CHUNK_SIZE : 2 * carried;
	struct chunk *added = xmalloc(sizeof(*added) + size);

	*added = (struct chunk){ .size = size, .filled = carried };
	if (carried)
		memcpy(added->bytes, chunks_bytes(c), carried);
	if (c->last)
		c->last->filled = c->last->taken;
	if (c->last)
		c->last->next = added;
	else
		c->first = added;
	c->last = added;
}

/* Reuses the space of taken bytes if nothing is lent from the last chunk. */
static bool chunk_reuse(struct chunks *c)
{
	size_t carried = chunks_available(c);

	if (!c->last || c->last->lent_until || carried >= c->last->size / 2)
		return false;
	memmove(c->last->bytes, chunks_bytes(c), carried);
	c->last->taken = 0;
	c->last->filled = carried;
	return true;
}

uint8_t *chunks_room(struct chunks *c, size_t *ret_size)
{
	if ((!c->last || c->last->filled == c->last->size) && !chunk_reuse(c)) {
		chunk_add(c);
		chunks_release(c, 0);
	}
	*ret_size = c->last->size - c->last->filled;
	return c->last->bytes + c->last->filled;
}

void chunks_filled(struct chunks *c, size_t n)
{
	c->last->filled += n;
}

const uint8_t *chunks_take(struct chunks *c, size_t n, uint64_t position)
{
	const uint8_t *p = chunks_bytes(c);

	c->last->taken += n;
	if (position > c->last->lent_until)
		c->last->lent_until = position;
	return p;
}

/* A chunk from which nothing was lent is released at once: its lent_until is 0. */
void chunks_release(struct chunks *c, uint64_t position)
{
	while (c->first != c->last && c->first->lent_until <= position) {
		struct chunk *next = c->first->next;

		free(c->first);
		c->first = next;
	}
}
