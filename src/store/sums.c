/* SPDX-License-Identifier: MIT */
#include "store/sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/data.h"

#define SLOTS_MIN 1024

void fleet_sums_done(struct fleet_sums *s)
{
	free(s->items);
	free(s->slots);
	*s = (struct fleet_sums){ 0 };
}

static uint64_t fleet_sums_hash_of(const struct fleet_sums *s, const struct fleet_sum *row)
{
	uint64_t h = hash_u64(s->seed, (uint64_t)row->stack);

	h = hash_u64(s->seed, h ^ (uint64_t)row->source);
	return hash_u64(s->seed, h ^ (uint64_t)row->event ^ (uint64_t)row->minute << 20);
}

static bool fleet_sums_is_same(const struct fleet_sum *a, const struct fleet_sum *b)
{
	return a->stack == b->stack && a->source == b->source && a->event == b->event &&
	       a->minute == b->minute;
}

/* Returns the slot of @row, or the free one to which it belongs. */
static uint32_t *fleet_sums_slot_of(const struct fleet_sums *s, const struct fleet_sum *row)
{
	size_t i = fleet_sums_hash_of(s, row) & (s->n_slots - 1);

	while (s->slots[i] && !fleet_sums_is_same(&s->items[s->slots[i] - 1], row))
		i = (i + 1) & (s->n_slots - 1);
	return &s->slots[i];
}

static void fleet_sums_grow(struct fleet_sums *s)
{
	s->seed = hash_seed();
	free(s->slots);
	s->n_slots = s->n_slots ? 2 * s->n_slots : SLOTS_MIN;
	s->slots = xcalloc(s->n_slots, sizeof(*s->slots));
	for (size_t i = 0; i < s->n; i++)
		*fleet_sums_slot_of(s, &s->items[i]) = (uint32_t)i + 1;
}

/*
 * Adds without overflow. The rows are untrusted, so a sum that is too large stays at the largest
 * number.
 */
static void fleet_sums_add_count(int64_t *sum, int64_t n)
{
	if (__builtin_add_overflow(*sum, n, sum))
		*sum = INT64_MAX;
}

void fleet_sums_add(struct fleet_sums *s, const struct fleet_sum *row)
{
	uint32_t *slot;

	if (s->n * 2 >= s->n_slots)
		fleet_sums_grow(s);
	slot = fleet_sums_slot_of(s, row);
	if (!*slot) {
		*ARRAY_ADD(s) = *row;
		*slot = (uint32_t)s->n;
		return;
	}
	fleet_sums_add_count(&s->items[*slot - 1].samples, row->samples);
	fleet_sums_add_count(&s->items[*slot - 1].period, row->period);
}

static int fleet_sums_compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_sources(const struct fleet_data *d, int64_t a, int64_t b, size_t column)
{
	if (a == b)
		return 0;
	return strcmp(fleet_find(d, FLEET_SOURCE, a)[column].text,
		      fleet_find(d, FLEET_SOURCE, b)[column].text);
}

static int fleet_sums_by_order(const void *va, const void *vb, void *data)
{
	const struct fleet_sum *a = va, *b = vb;
	int c = fleet_sums_compare_numbers(a->minute, b->minute);

	if (!c)
		c = compare_sources(data, a->source, b->source, FLEET_SOURCE_HOST);
	if (!c)
		c = fleet_sums_compare_numbers(a->event, b->event);
	if (!c)
		c = fleet_sums_compare_numbers(b->period, a->period);
	if (!c)
		c = fleet_sums_compare_numbers(a->stack, b->stack);
	return c ? c : compare_sources(data, a->source, b->source, FLEET_SOURCE_COMM);
}

void fleet_sums_take(struct fleet_sums *s, struct fleet_data *d)
{
	if (s->n)
		qsort_r(s->items, s->n, sizeof(*s->items), fleet_sums_by_order, d);
	for (size_t i = 0; i < s->n; i++)
		fleet_add(d, FLEET_SAMPLE,
			  (union fleet_cell[N_SAMPLE_COLUMNS]){
				  [SAMPLE_MINUTE].number = s->items[i].minute,
				  [SAMPLE_SOURCE].number = s->items[i].source,
				  [SAMPLE_EVENT].number = s->items[i].event,
				  [SAMPLE_STACK].number = s->items[i].stack,
				  [SAMPLE_SAMPLES].number = s->items[i].samples,
				  [SAMPLE_PERIOD].number = s->items[i].period,
			  });
}
