/* SPDX-License-Identifier: MIT */
#include "store/sums.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
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

void fleet_sums_clear(struct fleet_sums *s)
{
	s->n = 0;
	if (s->n_slots)
		memset(s->slots, 0, s->n_slots * sizeof(*s->slots));
}

static uint64_t fleet_sums_hash_of(const struct fleet_sums *s, const struct fleet_sum *row)
{
	uint64_t h = hash_u64(s->seed, (uint64_t)row->stack);

	h = hash_u64(s->seed, h ^ (uint64_t)row->minute);
	return hash_u64(s->seed, h ^ ((uint64_t)row->source << 32 | row->event));
}

static bool fleet_sums_is_same(const struct fleet_sum *a, const struct fleet_sum *b)
{
	return a->stack == b->stack && a->source == b->source && a->event == b->event &&
	       a->minute == b->minute;
}

/* Returns the slot of @row, or the free one to which it belongs. @i is where it is searched. */
static uint32_t *fleet_sums_slot_of(const struct fleet_sums *s, const struct fleet_sum *row,
				    size_t i)
{
	while (s->slots[i] && !fleet_sums_is_same(&s->items[s->slots[i] - 1], row))
		i = (i + 1) & (s->n_slots - 1);
	return &s->slots[i];
}

static size_t fleet_sums_first_slot(const struct fleet_sums *s, const struct fleet_sum *row)
{
	return fleet_sums_hash_of(s, row) & (s->n_slots - 1);
}

static void fleet_sums_grow(struct fleet_sums *s)
{
	s->seed = hash_seed();
	free(s->slots);
	s->n_slots = s->n_slots ? 2 * s->n_slots : SLOTS_MIN;
	s->slots = xcalloc(s->n_slots, sizeof(*s->slots));
	for (size_t i = 0; i < s->n; i++) {
		const struct fleet_sum *row = &s->items[i];

		*fleet_sums_slot_of(s, row, fleet_sums_first_slot(s, row)) = (uint32_t)i + 1;
	}
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

static void fleet_sums_add_row(struct fleet_sums *s, const struct fleet_sum *row, size_t first)
{
	uint32_t *slot = fleet_sums_slot_of(s, row, first);

	if (!*slot) {
		*ARRAY_ADD(s) = *row;
		*slot = (uint32_t)s->n;
		return;
	}
	fleet_sums_add_count(&s->items[*slot - 1].samples, row->samples);
	fleet_sums_add_count(&s->items[*slot - 1].period, row->period);
}

void fleet_sums_add(struct fleet_sums *s, const struct fleet_sum *rows, size_t n)
{
	size_t first[FLEET_SUMS_BLOCK];

	while ((s->n + n) * 2 >= s->n_slots)
		fleet_sums_grow(s);
	for (size_t i = 0; i < n; i++) {
		first[i] = fleet_sums_first_slot(s, &rows[i]);
		__builtin_prefetch(&s->slots[first[i]]);
	}
	for (size_t i = 0; i < n; i++)
		if (s->slots[first[i]])
			__builtin_prefetch(&s->items[s->slots[first[i]] - 1]);
	for (size_t i = 0; i < n; i++)
		fleet_sums_add_row(s, &rows[i], first[i]);
}

size_t fleet_thirds(const struct fleet_sum *sum, struct fleet_sum ret[FLEET_THIRDS])
{
	size_t n = 1;

	ret[0] = *sum;
	ret[0].stack = 0;
	if (sum->samples < 0)
		return 1;
	ret[0].samples /= FLEET_THIRDS;
	for (int64_t i = 1; i < FLEET_THIRDS; i++) {
		int64_t samples = sum->samples / FLEET_THIRDS +
				  (sum->samples % FLEET_THIRDS + i) / FLEET_THIRDS;

		if (!samples ||
		    __builtin_add_overflow(sum->minute, i * FLEET_THIRD_S, &ret[n].minute))
			continue;
		ret[n].source = sum->source;
		ret[n].event = sum->event;
		ret[n].stack = 0;
		ret[n].period = 0;
		ret[n++].samples = samples;
	}
	return n;
}

/* The order of sums, besides their own numbers. Equal texts have the same rank. */
struct fleet_sums_order {
	const uint32_t *hosts, *comms; /* by number of the source: the ranks of its texts */
	const int64_t *events;
};

struct fleet_sums_text {
	const char *text;
	uint32_t source;
};

static int fleet_sums_compare_texts(const void *va, const void *vb)
{
	const struct fleet_sums_text *a = va, *b = vb;

	return strcmp(a->text, b->text);
}

/* Returns the ranks of a column's texts among the sources. The caller frees them. */
static uint32_t *fleet_sums_rank(const struct fleet_data *d, const int64_t *sources, size_t n,
				 size_t column)
{
	_cleanup_(freep) struct fleet_sums_text *texts = xcalloc(n + 1, sizeof(*texts));
	uint32_t *ranks = xcalloc(n + 1, sizeof(*ranks)), rank = 0;

	for (size_t i = 0; i < n; i++)
		texts[i] = (struct fleet_sums_text){
			.text = fleet_find(d, FLEET_SOURCE, sources[i])[column].text,
			.source = (uint32_t)i,
		};
	qsort(texts, n, sizeof(*texts), fleet_sums_compare_texts);
	for (size_t i = 0; i < n; i++) {
		rank += i && strcmp(texts[i - 1].text, texts[i].text) != 0;
		ranks[texts[i].source] = rank;
	}
	return ranks;
}

static int fleet_sums_compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int fleet_sums_by_order(const void *va, const void *vb, void *data)
{
	const struct fleet_sum *a = va, *b = vb;
	const struct fleet_sums_order *order = data;
	int c = fleet_sums_compare_numbers(a->minute, b->minute);

	if (!c)
		c = fleet_sums_compare_numbers(order->hosts[a->source], order->hosts[b->source]);
	if (!c)
		c = fleet_sums_compare_numbers(order->events[a->event], order->events[b->event]);
	if (!c)
		c = fleet_sums_compare_numbers(b->period, a->period);
	if (!c)
		c = fleet_sums_compare_numbers(a->stack, b->stack);
	return c ? c : fleet_sums_compare_numbers(order->comms[a->source], order->comms[b->source]);
}

void fleet_sums_take(struct fleet_sums *s, const int64_t *sources, size_t n_sources,
		     const int64_t *events, struct fleet_data *d)
{
	_cleanup_(freep)
		uint32_t *hosts = fleet_sums_rank(d, sources, n_sources, FLEET_SOURCE_HOST);
	_cleanup_(freep)
		uint32_t *comms = fleet_sums_rank(d, sources, n_sources, FLEET_SOURCE_COMM);
	struct fleet_sums_order order = { .hosts = hosts, .comms = comms, .events = events };

	free(s->slots);
	s->slots = NULL;
	s->n_slots = 0;
	if (s->n)
		qsort_r(s->items, s->n, sizeof(*s->items), fleet_sums_by_order, &order);
	for (size_t i = 0; i < s->n; i++)
		fleet_add(d, FLEET_SAMPLE,
			  (union fleet_cell[N_SAMPLE_COLUMNS]){
				  [SAMPLE_MINUTE].number = s->items[i].minute,
				  [SAMPLE_SOURCE].number = sources[s->items[i].source],
				  [SAMPLE_EVENT].number = events[s->items[i].event],
				  [SAMPLE_STACK].number = s->items[i].stack,
				  [SAMPLE_SAMPLES].number = s->items[i].samples,
				  [SAMPLE_PERIOD].number = s->items[i].period,
			  });
}
