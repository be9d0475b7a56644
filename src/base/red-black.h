/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The shape of a red-black tree (Cormen et al., Introduction to Algorithms), for orders that depend
 * on it: where comparisons contradict one another, or ranges overlap, what is found first is what
 * the shape says.
 *
 * Nodes are numbers from 1 on; what they stand for is the caller's affair, who walks down from the
 * root, compares, and says where a new one goes. 0 is a missing child, and black.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum red_black_side {
	RED_BLACK_LEFT,
	RED_BLACK_RIGHT,
};

#define RED_BLACK_NIL 0u

struct red_black_node {
	uint32_t child[2];
	uint32_t parent;
	bool is_red;
};

struct red_black {
	struct red_black_node *nodes;
	uint32_t root;
};

/* Room for the nodes 1 to @n, none of which is in the tree yet. */
void red_black_init(struct red_black *t, size_t n);
void red_black_done(struct red_black *t);

/* Makes @n a child of @parent on @side, where there is none, or the root; and balances. O(log n) */
void red_black_insert(struct red_black *t, uint32_t n, uint32_t parent, enum red_black_side side);

/* Takes @n out. O(log n) */
void red_black_erase(struct red_black *t, uint32_t n);

/* The leftmost of all, and the one to the right of @n; RED_BLACK_NIL: none. */
uint32_t red_black_first(const struct red_black *t);
uint32_t red_black_next(const struct red_black *t, uint32_t n);

/*
 * Sorts the pointers at @items as a tree does into which they are inserted from the first to the
 * last, each behind those that are equal to it on its way. O(n log n)
 */
typedef int red_black_compare(const void *a, const void *b, void *arg);
void red_black_sort(const void **items, size_t n, red_black_compare *compare, void *arg);
