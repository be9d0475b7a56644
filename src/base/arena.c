/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The size of the first block, and of the later ones: there are many arenas with a few objects. */
#define BLOCK_SIZE_MIN 1024
#define BLOCK_SIZE_MAX (64 * 1024)
#define ALIGNMENT      _Alignof(max_align_t)

struct arena_block {
	struct arena_block *next;
	_Alignas(max_align_t) uint8_t bytes[];
};

static uint8_t *block_add(struct arena *a, size_t size)
{
	struct arena_block *b = xmalloc(sizeof(*b) + size);

	b->next = a->blocks;
	a->blocks = b;
	return b->bytes;
}

/* Begins a block, twice as large as the one before, for objects such as one of @size bytes. */
static void arena_next_block(struct arena *a, size_t size)
{
	do
		a->block_size = a->block_size ? a->block_size * 2 : BLOCK_SIZE_MIN;
	while (a->block_size / 4 < size);
	if (a->block_size > BLOCK_SIZE_MAX)
		a->block_size = BLOCK_SIZE_MAX;
	a->at = block_add(a, a->block_size);
	a->end = a->at + a->block_size;
}

/*
 * Returns @size bytes at a multiple of @alignment. A request that does not fit well gets a block of
 * its own.
 */
static void *arena_take(struct arena *a, size_t size, size_t alignment)
{
	size_t skip = -(uintptr_t)a->at & (alignment - 1);
	size_t left = (size_t)(a->end - a->at);

	if (size > BLOCK_SIZE_MAX / 4)
		return block_add(a, size);
	if (skip > left || size > left - skip) {
		arena_next_block(a, size);
		skip = 0;
	}

	uint8_t *p = a->at + skip;

	a->at = p + size;
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	/* An empty arena has no memory to point to. */
	return size ? memset(arena_take(a, size, ALIGNMENT), 0, size) : NULL;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *copy = arena_take(a, n + 1, 1);

	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

void arena_done(struct arena *a)
{
	for (struct arena_block *b = a->blocks, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	*a = (struct arena){ 0 };
}
