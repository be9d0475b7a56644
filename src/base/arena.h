/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Memory that is released all at once: many small objects with one lifetime.
 *
 * `struct arena a = { 0 };` owns nothing until something is allocated; arena_done() releases all of
 * it. Allocated memory never moves. Sizes are our own or bounded by the caller, as in
 * base/memory.h.
 */
#include <stddef.h>
#include <stdint.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
	uint8_t *at, *end; /* the free part of the newest block */
	size_t block_size; /* the size of that block */
};

/* Returns @size zeroed bytes, aligned for every type; NULL if @size is 0. */
void *arena_alloc(struct arena *a, size_t size) __attribute__((malloc));

/* Returns a copy of the @n characters at @s, NUL-terminated. */
char *arena_strndup(struct arena *a, const char *s, size_t n) __attribute__((malloc));

void arena_done(struct arena *a);
