/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Binary search, with a comparison that is compiled into the loop.
 */
#include <stddef.h>

/*
 * Returns the number of indices from 0 to @n - 1 that satisfy @condition, an expression in @i. The
 * condition must hold for the first of them and for none that follow, as in a sorted array:
 *
 *	BISECT(i, t->n, t->items[i].start <= addr)
 *
 * is the number of items that start at @addr or before. Where the order is broken, the result is
 * some number from 0 to @n. O(log n).
 *
 * The loop uses a branch where it could use a conditional move. A profile asks for the same few
 * places again and again, so branches are predicted well and the loads after them begin early. perf
 * script is 5 % slower with conditional moves, although they would make searches at random 3 times
 * as fast.
 */
#define BISECT(i, n, condition)                                                                    \
	({                                                                                         \
		size_t low_ = 0, high_ = (n);                                                      \
                                                                                                   \
		while (low_ < high_) {                                                             \
			const size_t i = low_ + (high_ - low_) / 2;                                \
                                                                                                   \
			if (condition)                                                             \
				low_ = i + 1;                                                      \
			else                                                                       \
				high_ = i;                                                         \
		}                                                                                  \
		low_;                                                                              \
	})
