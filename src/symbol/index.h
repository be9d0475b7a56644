/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Symbols sorted by address in a mapped file (symbol/kallsyms-index.h), of which only the pages are
 * read that a lookup touches.
 *
 * A view; its maker owns the memory. Each symbol ends where the next begins. The content of the
 * arrays is not trusted: an invalid offset is an empty name.
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
	uint64_t end;     /* of the last symbol */
	const char *text; /* names, each with a NUL; the last byte is a NUL, too */
	size_t text_size;
};

/* The symbol that @addr is in, or SYMBOL_INDEX_NONE. O(log n). */
size_t symbol_index_find(const struct symbol_index *x, uint64_t addr);

/* The first symbol called @name, or SYMBOL_INDEX_NONE. O(n). */
size_t symbol_index_find_name(const struct symbol_index *x, const char *name);

/* Symbol @i; its name belongs to the index. */
struct symbol symbol_index_at(const struct symbol_index *x, size_t i);
