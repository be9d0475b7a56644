/* SPDX-License-Identifier: MIT */
#include "base/false-discovery.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"

static int false_discovery_by_value(const void *va, const void *vb)
{
	const double *const *a = va, *const *b = vb;

	return **a < **b ? -1 : **a > **b;
}

/* The corrected value of the k-th smallest of n is the minimum of p n / k from there on. */
void false_discovery_correct(double *p, size_t n)
{
	_cleanup_(freep) double **sorted = xcalloc(n + 1, sizeof(double *));
	double least = 1;

	for (size_t i = 0; i < n; i++)
		sorted[i] = &p[i];
	qsort(sorted, n, sizeof(double *), false_discovery_by_value);
	for (size_t k = n; k > 0; k--) {
		double q = *sorted[k - 1] * (double)n / (double)k;

		least = q < least ? q : least;
		*sorted[k - 1] = least;
	}
}
