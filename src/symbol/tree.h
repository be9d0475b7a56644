/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which of two symbols that overlap is shown.
 *
 * Linux's perf keeps symbols in a red-black tree ordered by their start, and looks an address up as
 * if ranges never overlapped: the first range on the way down that has the address is the answer.
 * Where a label lies within a sized function, or _init, whose size nobody knows, reaches over the
 * stubs behind it, the answer depends on the shape that the tree got by inserting the symbols in
 * the file's order and dropping aliases. To name the same addresses alike, we note what was
 * inserted and dropped, and build that tree, for the few files that have overlaps at all.
 */
#include <stddef.h>
#include <stdint.h>

#define SYMBOL_TREE_NONE UINT32_MAX

/* What happened, in order; symbols are numbered as they were inserted. */
struct symbol_history {
	uint64_t *starts; /* of each symbol */
	size_t n, room;
	struct symbol_drop {
		uint32_t symbol;
		uint32_t after; /* this many had been inserted */
	} * drops;
	size_t n_drops, drops_room;
};

void symbol_history_done(struct symbol_history *h);

/* Notes that a symbol was inserted, and returns its number. */
uint32_t symbol_history_insert(struct symbol_history *h, uint64_t start);

void symbol_history_drop(struct symbol_history *h, uint32_t symbol);

/* The shape of the tree that comes of it: the children of each symbol, or SYMBOL_TREE_NONE. */
struct symbol_tree {
	uint32_t root;
	struct symbol_children {
		uint32_t left, right;
	} * items; /* by symbol; NULL: there is no tree */
};

/* O(n log n). Release it with free(ret->items). */
void symbol_tree_build(const struct symbol_history *h, struct symbol_tree *ret);
