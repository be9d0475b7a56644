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
 * some number from 0 to @n. O(log n).
 *
 * The loop jumps where it could move conditionally: a profile asks for the same few places again
 * and again, so that jumps are predicted and the loads behind them begin early. perf script is 5 %
 * slower with conditional moves, although searches at random would be 3 times as fast.
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
