/* SPDX-License-Identifier: MIT */
#include "tools/trace/rings-bpf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The number of bytes after which freed space is reported to programs. */
#define RELEASE_BYTES 16384

struct ring {
	struct trace_ring *shared;
	const uint8_t *bytes; /* in the ring, or in a snapshot of it */
	uint8_t *snapshot;
	uint64_t tail, head;              /* the range to read */
	uint64_t released;                /* the value of tail that programs know */
	const struct trace_record *first; /* the one at tail; NULL: there is none */
	uint64_t damaged;                 /* the minimum number of unreadable records */
};

struct trace_rings {
	struct ring *items;
	size_t n, ring_size;
};

struct trace_rings *trace_rings_new(void *memory, size_t n, size_t stride, size_t ring_size)
{
	struct trace_rings *r = xcalloc(1, sizeof(*r));

	r->items = xcalloc(n, sizeof(*r->items));
	r->n = n;
	r->ring_size = ring_size;
	for (size_t i = 0; i < n; i++) {
		r->items[i].shared = (void *)((uint8_t *)memory + i * stride);
		r->items[i].bytes = r->items[i].shared->bytes;
	}
	return r;
}

void trace_rings_free(struct trace_rings *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		free(r->items[i].snapshot);
	free(r->items);
	free(r);
}

static void trace_rings_release(struct ring *g)
{
	__atomic_store_n(&g->shared->tail, g->tail, __ATOMIC_RELEASE);
	g->released = g->tail;
}

/* Drops the rest of a ring with a malformed record. */
static void trace_rings_give_up(struct ring *g)
{
	g->damaged++;
	g->tail = g->head;
	g->first = NULL;
	trace_rings_release(g);
}

/* Finds the first record after padding. */
static void find_first(const struct trace_rings *r, struct ring *g)
{
	g->first = NULL;
	while (g->tail < g->head) {
		size_t at = g->tail & (r->ring_size - 1), left = TRACE_BLOCK - at % TRACE_BLOCK;
		const struct trace_record *record = (const void *)(g->bytes + at);

		if (left > g->head - g->tail)
			left = g->head - g->tail;
		if (record->size < 8 || record->size % 8 || record->size > left ||
		    (record->kind != TRACE_PAD && record->size < sizeof(*record))) {
			trace_rings_give_up(g);
			return;
		}
		if (record->kind != TRACE_PAD) {
			g->first = record;
			return;
		}
		g->tail += record->size;
	}
}

static void trace_rings_look(const struct trace_rings *r, struct ring *g)
{
	uint64_t head;

	if (g->snapshot) {
		find_first(r, g);
		return;
	}
	__atomic_store_n(&g->shared->is_awake, 0, __ATOMIC_SEQ_CST);
	head = __atomic_load_n(&g->shared->head, __ATOMIC_ACQUIRE);
	/* Positions come from shared memory, so a distance greater than a ring is invalid. */
	if (head < g->tail || head - g->tail > r->ring_size) {
		g->tail = g->head = head;
		trace_rings_give_up(g);
		return;
	}
	g->head = head;
	find_first(r, g);
}

/*
 * Makes a snapshot. Data that programs overwrote while it was copied is omitted: only data less
 * than a ring before the record that is perhaps being written now is used. Records begin at every
 * block.
 */
static void trace_rings_bpf_snapshot(const struct trace_rings *r, struct ring *g)
{
	uint64_t head = __atomic_load_n(&g->shared->head, __ATOMIC_ACQUIRE), written, oldest = 0;

	if (!g->snapshot)
		g->snapshot = xmalloc(r->ring_size);
	g->bytes = memcpy(g->snapshot, g->shared->bytes, r->ring_size);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	written = __atomic_load_n(&g->shared->head, __ATOMIC_ACQUIRE) + TRACE_BLOCK;
	if (written > r->ring_size)
		oldest = (written - r->ring_size + TRACE_BLOCK - 1) / TRACE_BLOCK * TRACE_BLOCK;
	if (oldest > g->tail)
		g->tail = oldest;
	g->head = head > g->tail ? head : g->tail;
}

void trace_rings_snapshot(struct trace_rings *r)
{
	for (size_t i = 0; i < r->n; i++)
		trace_rings_bpf_snapshot(r, &r->items[i]);
}

uint64_t trace_rings_triggers(const struct trace_rings *r)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += r->items[i].shared->triggers;
	return n;
}

/*
 * Returns the ring whose first record is the oldest; NULL: there is none. *@limit_ns becomes the
 * time up to which this holds, whatever its next records are.
 */
static struct ring *find_oldest(const struct trace_rings *r, uint64_t *limit_ns)
{
	struct ring *oldest = NULL;

	*limit_ns = UINT64_MAX;
	for (size_t i = 0; i < r->n; i++) {
		struct ring *g = &r->items[i];

		if (!g->first)
			continue;
		if (!oldest || g->first->time_ns < oldest->first->time_ns) {
			if (oldest)
				*limit_ns = oldest->first->time_ns;
			oldest = g;
		} else if (g->first->time_ns < *limit_ns) {
			*limit_ns = g->first->time_ns;
		}
	}
	return oldest;
}

/* Passes on the records of one ring, up to @limit_ns and before @before_ns. */
static int trace_rings_drain(const struct trace_rings *r, struct ring *g, uint64_t limit_ns,
			     uint64_t before_ns,
			     int (*take)(void *arg, const struct trace_record *record, size_t size,
					 unsigned cpu),
			     void *arg)
{
	int ret = 0;

	while (!ret && g->first && g->first->time_ns <= limit_ns && g->first->time_ns < before_ns) {
		/* Read only once, because it is shared memory. */
		size_t size = *(const volatile uint32_t *)&g->first->size;

		if (size > g->head - g->tail) {
			trace_rings_give_up(g);
			break;
		}
		ret = take(arg, g->first, size, (unsigned)(g - r->items));
		g->tail += size;
		find_first(r, g);
		if (g->tail - g->released >= RELEASE_BYTES)
			trace_rings_release(g);
	}
	return ret;
}

int trace_rings_read(struct trace_rings *r, uint64_t now_ns, uint64_t before_ns,
		     int (*take)(void *arg, const struct trace_record *record, size_t size,
				 unsigned cpu),
		     void *arg)
{
	uint64_t limit_ns;
	struct ring *g;
	int ret = 0;

	if (now_ns != UINT64_MAX && before_ns > now_ns - TRACE_HORIZON_NS)
		before_ns = now_ns - TRACE_HORIZON_NS;
	for (size_t i = 0; i < r->n; i++)
		trace_rings_look(r, &r->items[i]);
	while (!ret && (g = find_oldest(r, &limit_ns)) && g->first->time_ns < before_ns)
		ret = trace_rings_drain(r, g, limit_ns, before_ns, take, arg);
	for (size_t i = 0; i < r->n; i++)
		trace_rings_release(&r->items[i]);
	return ret;
}

uint64_t trace_rings_lost_untold(const struct trace_rings *r)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct ring *g = &r->items[i];

		lost += g->shared->lost - g->shared->lost_told + g->damaged;
	}
	return lost;
}

uint64_t trace_rings_lost(const struct trace_rings *r)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < r->n; i++)
		lost += r->items[i].shared->lost + r->items[i].damaged;
	return lost;
}
