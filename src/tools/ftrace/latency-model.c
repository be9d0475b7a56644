/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/latency-model.h"

#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/memory.h"

uint64_t latency_unit_ns(const struct latency_scale *s)
{
	return s->uses_nsec ? 1 : 1000;
}

/* True if a number of the scale does not fit as nanoseconds. */
static bool is_too_large(const struct latency_scale *s)
{
	uint64_t limit = INT64_MAX / latency_unit_ns(s) / LATENCY_ROWS_MAX;

	return s->range > limit || s->min > limit || s->max > limit;
}

static uint64_t latency_row_count(const struct latency_scale *s)
{
	if (!s->max)
		return LATENCY_ROWS;
	return (s->max - s->min) / s->range + (s->min ? 2 : 1);
}

static int latency_check(const struct latency_scale *s, struct diag *diag)
{
	if (!s->range && s->min)
		return diag_set(diag, -EINVAL, "--min-latency works only with --bucket-range");
	if (!s->range && s->max)
		return diag_set(diag, -EINVAL, "--max-latency works only with --bucket-range");
	if (is_too_large(s))
		return diag_set(diag, -EINVAL, "a row would begin in a century: choose less");
	if (s->max && s->max <= s->min + s->range)
		return diag_set(diag, -EINVAL,
				"--max-latency must be larger than --min-latency + --bucket-range");
	if (latency_row_count(s) > LATENCY_ROWS_MAX)
		return diag_set(diag, -EINVAL,
				"--max-latency makes more than %d rows: choose a "
				"larger --bucket-range",
				LATENCY_ROWS_MAX);
	return 0;
}

static uint64_t latency_bound(const struct latency_scale *s, size_t i)
{
	if (!s->range)
		return 1ULL << i;
	return (s->min ? s->min : s->range) + i * s->range;
}

int latency_init(struct latency *l, const struct latency_scale *scale, struct diag *diag)
{
	int r = latency_check(scale, diag);

	if (r < 0)
		return r;
	*l = (struct latency){ .scale = *scale, .n_rows = latency_row_count(scale) };
	l->counts = xcalloc(l->n_rows, sizeof(l->counts[0]));
	l->bounds_ns = xcalloc(l->n_rows, sizeof(l->bounds_ns[0]));
	for (size_t i = 0; i + 1 < l->n_rows; i++)
		l->bounds_ns[i] = (int64_t)(latency_bound(scale, i) * latency_unit_ns(scale));
	return 0;
}

void latency_done(struct latency *l)
{
	free(l->counts);
	free(l->bounds_ns);
	*l = (struct latency){ 0 };
}

static size_t latency_find_row(const struct latency *l, uint64_t duration_ns)
{
	size_t row = 0, end = l->n_rows - 1;

	while (row < end) {
		size_t middle = (row + end) / 2;

		if ((uint64_t)l->bounds_ns[middle] <= duration_ns)
			row = middle + 1;
		else
			end = middle;
	}
	return row;
}

void latency_add(struct latency *l, uint64_t duration_ns)
{
	l->counts[latency_find_row(l, duration_ns)]++;
	if (!l->count || duration_ns < l->min_ns)
		l->min_ns = duration_ns;
	if (duration_ns > l->max_ns)
		l->max_ns = duration_ns;
	l->total_ns += duration_ns;
	l->count++;
}

uint64_t latency_row_start(const struct latency *l, size_t i)
{
	return i ? (uint64_t)l->bounds_ns[i - 1] / latency_unit_ns(&l->scale) : 0;
}
