/* SPDX-License-Identifier: MIT */
#pragma once
/* Sorting by several threads. */
#include <stddef.h>

struct workers;

/* One thread alone sorts up to this number of items. */
#define SHARED_SORT_MIN (2u << 10)

/*
 * Sorts @n items of @size bytes as qsort_r() does; equal items keep their order. @compare is called
 * from several threads. @w: the threads; NULL: the caller alone. O(n log n), and memory for a copy.
 */
void shared_sort(struct workers *w, void *items, size_t n, size_t size,
		 int (*compare)(const void *a, const void *b, void *arg), void *arg);
