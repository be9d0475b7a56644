/* SPDX-License-Identifier: MIT */
#include "tools/sched/spread-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Buckets of a power of two, and its logarithm. Durations below it have buckets of their own. */
#define PARTS     16
#define PARTS_LOG 4

void spread_done(struct spread *s)
{
	free(s->buckets);
}

size_t spread_bucket(uint64_t ns)
{
	unsigned shift;

	if (ns < PARTS)
		return (size_t)ns;
	shift = 63 - (unsigned)__builtin_clzll(ns) - PARTS_LOG;
	return (size_t)shift * PARTS + (size_t)(ns >> shift);
}

uint64_t spread_bucket_first(size_t bucket)
{
	size_t shift = bucket / PARTS - 1;

	if (bucket < PARTS)
		return bucket;
	return (uint64_t)(bucket - shift * PARTS) << shift;
}

static void spread_model_count(struct spread *s, uint64_t ns)
{
	uint32_t *bucket = &s->buckets[spread_bucket(ns)];

	*bucket += *bucket < UINT32_MAX;
}

static void begin_buckets(struct spread *s)
{
	s->buckets = xcalloc(SPREAD_BUCKETS, sizeof(*s->buckets));
	for (size_t i = 0; i < SPREAD_FEW; i++)
		spread_model_count(s, s->few[i]);
}

void spread_add(struct spread *s, uint64_t ns)
{
	if (s->n < SPREAD_FEW)
		s->few[s->n] = ns;
	else if (!s->buckets)
		begin_buckets(s);
	if (s->buckets)
		spread_model_count(s, ns);
	s->n++;
	s->sum_ns += ns;
	if (ns > s->max_ns)
		s->max_ns = ns;
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t exact_quantile(const struct spread *s, uint64_t rank)
{
	uint64_t sorted[SPREAD_FEW];

	memcpy(sorted, s->few, sizeof(sorted));
	qsort(sorted, s->n, sizeof(*sorted), by_size);
	return sorted[rank - 1];
}

uint64_t spread_quantile(const struct spread *s, double share)
{
	uint64_t rank = (uint64_t)(share * (double)s->n), seen = 0, last;

	if (!s->n)
		return 0;
	if ((double)rank < share * (double)s->n || !rank)
		rank++;
	if (rank > s->n)
		rank = s->n;
	if (!s->buckets)
		return exact_quantile(s, rank);
	for (size_t i = 0; i < SPREAD_BUCKETS; i++) {
		seen += s->buckets[i];
		if (seen < rank)
			continue;
		last = i + 1 < SPREAD_BUCKETS ? spread_bucket_first(i + 1) - 1 : UINT64_MAX;
		return last < s->max_ns ? last : s->max_ns;
	}
	return s->max_ns;
}

uint64_t spread_count(const struct spread *s, uint64_t first_ns, uint64_t end_ns)
{
	uint64_t n = 0;

	for (size_t i = 0; !s->buckets && i < s->n; i++)
		n += s->few[i] >= first_ns && s->few[i] < end_ns;
	for (size_t i = spread_bucket(first_ns); s->buckets && i < spread_bucket(end_ns); i++)
		n += s->buckets[i];
	return n;
}
