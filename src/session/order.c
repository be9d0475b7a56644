/* SPDX-License-Identifier: MIT */
#include "session/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/*
 * A record is prefetched this many records of its run before its turn, because rounds are larger
 * than caches.
 */
#define AHEAD 8

void order_done(struct order *o)
{
	free(o->items);
	free(o->runs.items);
	free(o->heap.items);
	*o = (struct order){ 0 };
}

/*
 * Moves the waiting records to the front, once all due records are gone; adjacent runs become one.
 */
static void order_compact(struct order *o)
{
	size_t n = 0, n_runs = 0;

	for (size_t i = 0; i < o->runs.n; i++) {
		struct order_run r = o->runs.items[i];
		size_t length = r.end - r.at;

		if (!length)
			continue;
		if (n != r.at)
			memmove(&o->items[n], &o->items[r.at], length * sizeof(o->items[0]));
		if (n_runs && o->items[n - 1].time <= o->items[n].time)
			o->runs.items[n_runs - 1].end = n + length;
		else
			o->runs.items[n_runs++] = (struct order_run){ n, n + length };
		n += length;
	}
	o->n = n;
	o->runs.n = n_runs;
	o->heap.n = 0;
	o->merging = false;
	o->last = UINT64_MAX;
}

void order_add_first(struct order *o, struct waiting w)
{
	if (o->merging)
		order_compact(o);
	if (!o->n || w.time < o->items[o->n - 1].time)
		*ARRAY_ADD(&o->runs) = (struct order_run){ o->n, o->n };
	if (o->n == o->room)
		o->items = array_reserve(o->items, &o->room, o->n + 1, sizeof(o->items[0]));
	o->items[o->n++] = w;
	o->last = w.time;
	o->runs.items[o->runs.n - 1].end = o->n;
	order_saw(o, w.time);
}

void order_until(struct order *o, uint64_t due)
{
	if (o->merging)
		order_compact(o);
	o->due = due;
}

void order_round(struct order *o)
{
	order_until(o, o->newest_before);
	o->newest_before = o->newest;
}

void order_flush(struct order *o)
{
	o->newest_before = o->newest;
	order_round(o);
}

void order_finish(struct order *o)
{
	order_until(o, UINT64_MAX);
}

static uint64_t head_time(const struct order *o, size_t run)
{
	return o->items[o->runs.items[run].at].time;
}

static bool has_due(const struct order *o, size_t run)
{
	const struct order_run *r = &o->runs.items[run];

	return r->at < r->end && head_time(o, run) <= o->due;
}

/* Compares runs. They are numbered in file order, which decides between equal times. */
static bool order_comes_before(const struct order *o, size_t a, size_t b)
{
	uint64_t ta = head_time(o, a), tb = head_time(o, b);

	return ta < tb || (ta == tb && a < b);
}

static void order_sift_down(struct order *o, size_t i)
{
	size_t *heap = o->heap.items;

	for (;;) {
		size_t first = i, left = 2 * i + 1, right = left + 1;

		if (left < o->heap.n && order_comes_before(o, heap[left], heap[first]))
			first = left;
		if (right < o->heap.n && order_comes_before(o, heap[right], heap[first]))
			first = right;
		if (first == i)
			return;

		size_t run = heap[i];

		heap[i] = heap[first];
		heap[first] = run;
		i = first;
	}
}

static void begin_merge(struct order *o)
{
	o->heap.n = 0;
	for (size_t i = 0; i < o->runs.n; i++)
		if (has_due(o, i))
			*ARRAY_ADD(&o->heap) = i;
	for (size_t i = o->heap.n / 2; i--;)
		order_sift_down(o, i);
	o->merging = true;
	o->last = UINT64_MAX;
}

/*
 * Returns the time up to which records of the run on top may go before another run is next;
 * *@ret_included: including that time.
 */
static uint64_t turn_end(const struct order *o, bool *ret_included)
{
	const size_t *heap = o->heap.items;
	uint64_t until = o->due;

	*ret_included = true;
	if (o->heap.n > 1) {
		size_t next = o->heap.n > 2 && order_comes_before(o, heap[2], heap[1]) ? heap[2]
										       : heap[1];

		if (head_time(o, next) <= until) {
			until = head_time(o, next);
			*ret_included = heap[0] < next;
		}
	}
	return until;
}

const struct waiting *order_next(struct order *o, size_t max, size_t *ret_n)
{
	if (!o->merging)
		begin_merge(o);
	if (!o->heap.n)
		return NULL;

	struct order_run *r = &o->runs.items[o->heap.items[0]];
	const struct waiting *first = &o->items[r->at];
	const struct waiting *run_end = &o->items[r->end], *w = first;
	const struct waiting *end = max < r->end - r->at ? first + max : run_end;
	bool included;
	uint64_t until = turn_end(o, &included);

	/* The first one is on top, so it is due, whatever the bound is. */
	do {
		if (w + AHEAD < run_end)
			__builtin_prefetch(w[AHEAD].bytes);
		w++;
	} while (w < end && (w->time < until || (included && w->time == until)));
	*ret_n = (size_t)(w - first);
	r->at += *ret_n;

	if (!has_due(o, o->heap.items[0]))
		o->heap.items[0] = o->heap.items[--o->heap.n];
	order_sift_down(o, 0);
	return first;
}

uint64_t order_first_position(const struct order *o, uint64_t otherwise)
{
	for (size_t i = 0; i < o->runs.n; i++)
		if (o->runs.items[i].at < o->runs.items[i].end)
			return waiting_low(o->items[o->runs.items[i].at].place);
	return otherwise;
}
