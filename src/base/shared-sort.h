/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sorting that several threads share.
 */
#include <stddef.h>

struct workers;

/* Up to this many items one thread sorts alone. */
#define SHARED_SORT_MIN (2u << 10)

/*
 * Sorts @n items of @size bytes as qsort_r() does; those that are equal keep their order. @compare
 * is called from several threads. @w: NULL, the caller alone. O(n log n), and room for a copy.
 */
void shared_sort(struct workers *w, void *items, size_t n, size_t size,
		 int (*compare)(const void *a, const void *b, void *arg), void *arg);
