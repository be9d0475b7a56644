/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Symbols sorted by address as they lie in a mapped file (symbol/kallsyms-index.h): nothing is read
 * before it is looked for.
 *
 * A view; whoever made it keeps the memory. Each symbol ends where the next begins. What the arrays
 * hold was not checked: an offset that leads nowhere is an empty name.
 */
#include <stddef.h>
#include <stdint.h>

#define SYMBOL_INDEX_NONE SIZE_MAX

struct symbol;

struct symbol_index {
	const uint64_t *starts; /* ascending */
	const uint32_t *names;  /* offsets in @text */
	const char *bindings;
	size_t n;
	uint64_t end;     /* of the last */
	const char *text; /* names, each with a NUL; so is the last byte */
	size_t text_size;
};

/* The symbol that @addr is in, or SYMBOL_INDEX_NONE. O(log n). */
size_t symbol_index_find(const struct symbol_index *x, uint64_t addr);

/* The first symbol called @name, or SYMBOL_INDEX_NONE. O(n). */
size_t symbol_index_find_name(const struct symbol_index *x, const char *name);

/* Symbol @i; its name belongs to the index. */
struct symbol symbol_index_at(const struct symbol_index *x, size_t i);
