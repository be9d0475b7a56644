/* SPDX-License-Identifier: MIT */
#include "base/range-map.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/bisect.h"
#include "base/memory.h"

void range_map_done(struct range_map *m)
{
	free(m->items);
	*m = (struct range_map){ 0 };
}

void range_map_add(struct range_map *m, uint64_t start, uint64_t end, uint64_t rank, uint32_t value)
{
	if (start >= end)
		return;

	uint32_t order = (uint32_t)m->n;

	*ARRAY_ADD(m) = (struct range){ start, end, rank, value, order };
}

static int range_map_by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* A heap of the ranges that have begun, with the winning one on top. */
struct heap {
	struct range *items;
	size_t n;
};

static bool range_map_wins(const struct range *a, const struct range *b)
{
	return a->rank != b->rank ? a->rank > b->rank : a->order < b->order;
}

static void heap_push(struct heap *h, struct range r)
{
	size_t i = h->n++;

	for (; i && range_map_wins(&r, &h->items[(i - 1) / 2]); i = (i - 1) / 2)
		h->items[i] = h->items[(i - 1) / 2];
	h->items[i] = r;
}

static void heap_pop(struct heap *h)
{
	struct range last = h->items[--h->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && range_map_wins(&h->items[child + 1], &h->items[child]))
			child++;
		if (!range_map_wins(&h->items[child], &last))
			break;
		h->items[i] = h->items[child];
		i = child;
	}
	h->items[i] = last;
}

/*
 * Appends @top's part from @at to @end, or extends the range before if that belongs to @top, too.
 */
static void range_map_emit(struct range_map *out, const struct range *top, uint64_t at,
			   uint64_t end)
{
	struct range *last = out->n ? &out->items[out->n - 1] : NULL;

	if (last && last->end == at && last->order == top->order) {
		last->end = end;
		return;
	}

	struct range *r = ARRAY_ADD(out);

	*r = *top;
	r->start = at;
	r->end = end;
}

/*
 * Visits all places where a range begins or the winner ends. A range that ends below the winner
 * stays in the heap until it comes to the top.
 */
static void range_map_flatten(const struct range_map *in, struct heap *h, struct range_map *out)
{
	uint64_t at = 0;
	size_t i = 0;

	while (i < in->n || h->n) {
		if (h->n && h->items[0].end <= at) {
			heap_pop(h);
			continue;
		}
		if (!h->n)
			at = in->items[i].start;
		while (i < in->n && in->items[i].start <= at)
			heap_push(h, in->items[i++]);

		struct range top = h->items[0];
		uint64_t end = i < in->n && in->items[i].start < top.end ? in->items[i].start
									 : top.end;

		if (top.end > at)
			range_map_emit(out, &top, at, end);
		at = end > at ? end : at;
	}
}

static bool is_flat(const struct range_map *m)
{
	for (size_t i = 1; i < m->n; i++)
		if (m->items[i - 1].end > m->items[i].start)
			return false;
	return true;
}

void range_map_settle(struct range_map *m)
{
	struct range_map out = { 0 };

	if (m->n)
		qsort(m->items, m->n, sizeof(m->items[0]), range_map_by_start);
	if (is_flat(m))
		return;

	struct heap h = { .items = xcalloc(m->n, sizeof(h.items[0])) };

	range_map_flatten(m, &h, &out);
	free(h.items);
	free(m->items);
	*m = out;
}

size_t range_map_seek(const struct range_map *m, uint64_t at)
{
	return BISECT(i, m->n, m->items[i].end <= at);
}

const struct range *range_map_find(const struct range_map *m, uint64_t at)
{
	size_t i = range_map_seek(m, at);

	return i < m->n && m->items[i].start <= at ? &m->items[i] : NULL;
}
