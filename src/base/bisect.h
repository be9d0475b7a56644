/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Binary search, with a comparison that is compiled into the loop.
 */
#include <stddef.h>

/*
 * How many of the indices 0 to @n - 1 satisfy @condition, an expression in @i. It must hold for
 * the first of them and for none that follow, as in an array in order:
 *
 *	BISECT(i, t->n, t->items[i].start <= addr)
 *
 * is the number of items that start at @addr or before. Where the order is broken, the result is
 * some number from 0 to @n. O(log n). A simple comparison compiles to a conditional move: which
 * way a search goes cannot be predicted, and a jump would cost more than the load.
 */
#define BISECT(i, n, condition)                                                                    \
	({                                                                                         \
		size_t low_ = 0;                                                                   \
		for (size_t n_ = (n); n_; n_ /= 2) {                                               \
			const size_t end_ = low_ + n_ - n_ / 2, i = end_ - 1;                      \
                                                                                                   \
			low_ = (condition) ? end_ : low_;                                          \
		}                                                                                  \
		low_;                                                                              \
	})
