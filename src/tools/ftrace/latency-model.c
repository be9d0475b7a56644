/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/latency-model.h"

#include <errno.h>

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
	struct histogram_scale rows = { .kind = HISTOGRAM_GIVEN };
	int r = latency_check(scale, diag);

	if (r < 0)
		return r;
	for (size_t i = 0; i + 1 < latency_row_count(scale); i++)
		*ARRAY_ADD(&rows.given) = (int64_t)latency_bound(scale, i);
	*l = (struct latency){ .scale = *scale };
	r = histogram_init(&l->rows, &rows, diag);
	histogram_scale_done(&rows);
	return r;
}

void latency_done(struct latency *l)
{
	histogram_done(&l->rows);
}

void latency_add(struct latency *l, uint64_t duration_ns)
{
	uint64_t duration = duration_ns / latency_unit_ns(&l->scale);
	struct hist_sums *s = &l->sums;

	if (duration > INT64_MAX)
		duration = INT64_MAX;
	l->rows.counts[histogram_row(&l->rows, (int64_t)duration)]++;
	if (!s->count || duration_ns < s->min_ns)
		s->min_ns = duration_ns;
	if (duration_ns > s->max_ns)
		s->max_ns = duration_ns;
	s->total_ns += duration_ns;
	s->count++;
}
