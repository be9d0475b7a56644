/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The shape of a red-black tree (Cormen et al., Introduction to Algorithms), for orders that depend
 * on it: where comparisons contradict one another, or ranges overlap, the shape decides which one
 * is found first.
 *
 * Nodes are numbers from 1 on, whose meaning is up to the caller. The caller walks down from the
 * root, compares, and gives the place of a new node. 0 is a missing child, and black.
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

/* Allocates the nodes 1 to @n, none of which is in the tree yet. */
void red_black_init(struct red_black *t, size_t n);
void red_black_done(struct red_black *t);

/*
 * Makes @n a child of @parent on @side, which must be free, or the root; then balances the tree.
 * O(log n)
 */
void red_black_insert(struct red_black *t, uint32_t n, uint32_t parent, enum red_black_side side);

/* Removes @n from the tree. O(log n) */
void red_black_erase(struct red_black *t, uint32_t n);

/* Return the leftmost node, and the node to the right of @n; RED_BLACK_NIL: there is none. */
uint32_t red_black_first(const struct red_black *t);
uint32_t red_black_next(const struct red_black *t, uint32_t n);

/*
 * Sorts the pointers at @items as if they were inserted into a tree from the first to the last,
 * each after those that are equal to it on its way. O(n log n)
 */
typedef int red_black_compare(const void *a, const void *b, void *arg);
void red_black_sort(const void **items, size_t n, red_black_compare *compare, void *arg);
