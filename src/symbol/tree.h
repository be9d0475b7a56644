/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Decides which of two overlapping symbols is shown.
 *
 * Linux's perf keeps symbols in a red-black tree ordered by their start, and looks up an address as
 * if ranges never overlapped: the first range on the way down that contains the address is the
 * result. If ranges overlap (a label in a function with a size, or _init, whose size is unknown,
 * over the PLT after it), the result depends on the shape of the tree, that is, on the order in
 * which symbols were inserted and aliases dropped. To give the same names, we record the insertions
 * and removals, and build that tree for the few files that have overlaps.
 */
#include <stddef.h>
#include <stdint.h>

#define SYMBOL_TREE_NONE UINT32_MAX

/* Insertions and removals, in order; symbols are numbered in the order of insertion. */
struct symbol_history {
	uint64_t *starts; /* one for each symbol */
	size_t n, room;
	struct symbol_drop {
		uint32_t symbol;
		uint32_t after; /* number of symbols inserted before */
	} * drops;
	size_t n_drops, drops_room;
};

void symbol_history_done(struct symbol_history *h);

/* Records that a symbol was inserted, and returns its number. */
uint32_t symbol_history_insert(struct symbol_history *h, uint64_t start);

void symbol_history_drop(struct symbol_history *h, uint32_t symbol);

/* The shape of the resulting tree: the children of each symbol, or SYMBOL_TREE_NONE. */
struct symbol_tree {
	uint32_t root;
	struct symbol_children {
		uint32_t left, right;
	} * items; /* by symbol; NULL: there is no tree */
};

/* Builds the tree. O(n log n). Release it with free(ret->items). */
void symbol_tree_build(const struct symbol_history *h, struct symbol_tree *ret);
