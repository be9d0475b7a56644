/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Symbols sorted by address in a mapped file (symbol/kallsyms-index.h, symbol/kept-symbols.h). Only
 * those symbols are in memory that are looked up.
 *
 * This is a view; its maker owns the memory. The content of the arrays is untrusted: an invalid
 * offset is an empty name, and a tree without end finds nothing.
 */
#include <stddef.h>
#include <stdint.h>

#define SYMBOL_INDEX_NONE SIZE_MAX

/* In a binding: the symbol's size is unknown (is_guessed of struct symbol). */
#define SYMBOL_INDEX_GUESSED 0x80

struct symbol;
struct symbol_children;

struct symbol_index {
	const uint64_t *starts; /* in ascending order */
	const uint64_t *ends;   /* NULL: each symbol ends where the next begins */
	const uint32_t *names;  /* offsets in @text */
	const char *bindings;   /* perhaps with SYMBOL_INDEX_GUESSED */
	size_t n;
	uint64_t end;     /* the end of the last symbol, without @ends */
	const char *text; /* names, each with a NUL; the last byte is a NUL too */
	size_t text_size;
	/*
	 * If symbols overlap: for each symbol the highest end of those before it, and the tree
	 * (symbol/tree.h) that decides which one is found; otherwise NULL.
	 */
	const uint64_t *reach;
	const struct symbol_children *tree;
	uint32_t root;
};

/* Returns the symbol that contains @addr, or SYMBOL_INDEX_NONE. O(log n). */
size_t symbol_index_find(const struct symbol_index *x, uint64_t addr);

/* Does the same for the target of a call: if symbols overlap, finds the one that begins there. */
size_t symbol_index_find_called(const struct symbol_index *x, uint64_t addr);

/* Returns the first symbol with the name @name, or SYMBOL_INDEX_NONE. O(n). */
size_t symbol_index_find_name(const struct symbol_index *x, const char *name);

/* Returns symbol @i; its name belongs to the index. */
struct symbol symbol_index_at(const struct symbol_index *x, size_t i);
