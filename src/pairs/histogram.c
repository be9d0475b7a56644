/* SPDX-License-Identifier: MIT */
#include "pairs/histogram.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"

uint64_t histogram_scale_power(const struct histogram_scale *s)
{
	return s->power ? s->power : HISTOGRAM_POWER_DEFAULT;
}

uint64_t histogram_scale_max(const struct histogram_scale *s)
{
	if (s->max)
		return s->max;
	if (s->kind == HISTOGRAM_STEPS)
		return s->step > INT64_MAX / HISTOGRAM_STEPS_DEFAULT
			       ? INT64_MAX
			       : s->step * HISTOGRAM_STEPS_DEFAULT;
	return HISTOGRAM_MAX_DEFAULT;
}

/* Returns the bound after @bound; INT64_MAX: there is no number for it. */
static int64_t next_bound(const struct histogram_scale *s, int64_t bound)
{
	uint64_t n = (uint64_t)bound;

	if (s->kind == HISTOGRAM_STEPS)
		return s->step > INT64_MAX - n ? INT64_MAX : (int64_t)(n + s->step);
	if (!bound)
		return 1;
	return n > INT64_MAX / histogram_scale_power(s) ? INT64_MAX
							: (int64_t)(n * histogram_scale_power(s));
}

/* Makes the bounds from 0 to the first one that is not below the maximum. */
static int make_bounds(struct histogram *h, const struct histogram_scale *s, struct diag *diag)
{
	uint64_t max = histogram_scale_max(s);
	int64_t bound = 0;

	h->bounds = xcalloc(HISTOGRAM_BOUNDS_MAX, sizeof(*h->bounds));
	for (;;) {
		if (h->n_bounds == HISTOGRAM_BOUNDS_MAX) {
			diag_set(diag, -EINVAL, "more than %d rows are needed to reach %llu",
				 HISTOGRAM_BOUNDS_MAX + 1, (unsigned long long)max);
			diag_hint(diag, "Take larger steps, or a smaller maximum.");
			return -EINVAL;
		}
		h->bounds[h->n_bounds++] = bound;
		if ((uint64_t)bound >= max || bound == INT64_MAX)
			return 0;
		bound = next_bound(s, bound);
	}
}

int histogram_init(struct histogram *h, const struct histogram_scale *s, struct diag *diag)
{
	int r = 0;

	*h = (struct histogram){ 0 };
	if (s->kind == HISTOGRAM_GIVEN) {
		h->n_bounds = s->given.n;
		h->bounds = xcalloc(s->given.n, sizeof(*h->bounds));
		memcpy(h->bounds, s->given.items, s->given.n * sizeof(*h->bounds));
	} else {
		r = make_bounds(h, s, diag);
	}
	if (r < 0) {
		histogram_done(h);
		return r;
	}
	h->counts = xcalloc(histogram_rows(h), sizeof(*h->counts));
	return 0;
}

void histogram_done(struct histogram *h)
{
	free(h->bounds);
	free(h->counts);
	*h = (struct histogram){ 0 };
}

size_t histogram_first_row(const struct histogram *h)
{
	return h->is_time ? histogram_row(h, 0) : 0;
}

struct histogram_range histogram_range(const struct histogram *h, size_t row)
{
	struct histogram_range range = {
		.has_first = row > 0,
		.has_last = row < h->n_bounds,
	};

	if (range.has_first)
		range.first = h->bounds[row - 1];
	/* No number is below the least one, so the row of that bound is empty. */
	if (range.has_last)
		range.last = h->bounds[row] == INT64_MIN ? INT64_MIN : h->bounds[row] - 1;
	return range;
}

uint64_t histogram_total(const struct histogram *h)
{
	uint64_t total = 0;

	for (size_t i = 0; i < histogram_rows(h); i++)
		total += h->counts[i];
	return total;
}

uint64_t histogram_most(const struct histogram *h)
{
	uint64_t most = 0;

	for (size_t i = 0; i < histogram_rows(h); i++)
		most = h->counts[i] > most ? h->counts[i] : most;
	return most;
}
