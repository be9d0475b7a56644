/* SPDX-License-Identifier: MIT */
#include "profile/rest-scale.h"

#include <stdlib.h>

#include "base/memory.h"

/* The least share of a row in one of the two profiles. Smaller rows are ignored. */
#define ROW_SHARE_LEAST 0.005

/* With fewer rows a single change may be the median. */
#define ROWS_LEAST 3

void rest_scale_add(struct rest_scale *s, double before, double after, double total_before,
		    double total_after)
{
	if (!(before > 0) || !(after > 0) ||
	    (before < ROW_SHARE_LEAST * total_before && after < ROW_SHARE_LEAST * total_after))
		return;
	*ARRAY_ADD(s) = after / before;
}

static int rest_scale_order(const void *va, const void *vb)
{
	const double *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

bool rest_scale_find(struct rest_scale *s, double *ret)
{
	if (s->n < ROWS_LEAST)
		return false;
	qsort(s->items, s->n, sizeof(*s->items), rest_scale_order);
	*ret = s->n % 2 ? s->items[s->n / 2] : (s->items[s->n / 2 - 1] + s->items[s->n / 2]) / 2;
	return true;
}

void rest_scale_done(struct rest_scale *s)
{
	free(s->items);
	*s = (struct rest_scale){ 0 };
}
