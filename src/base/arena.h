/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Memory that is given back all at once: many small things with one lifetime.
 *
 * `struct arena a = { 0 };` owns nothing until something is allocated; arena_done() releases all of
 * it. What it hands out never moves. Sizes are our own or bounded by the caller, as in
 * base/memory.h.
 */
#include <stddef.h>
#include <stdint.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
	uint8_t *at, *end; /* what is left of the newest block */
};

/* @size zeroed bytes, aligned for every type; NULL of none. */
void *arena_alloc(struct arena *a, size_t size) __attribute__((malloc));

/* A copy of the @n characters at @s, NUL-terminated. */
char *arena_strndup(struct arena *a, const char *s, size_t n) __attribute__((malloc));

void arena_done(struct arena *a);
