/* SPDX-License-Identifier: MIT */
#include "session/handing.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/relay.h"
#include "session/sink.h"
#include "session/internal.h"

/*
 * A slice is large enough to make the cost of sharing negligible, and small enough that the output
 * of all slices that are being processed stays small.
 */
#define SLICE_BYTES     (24u << 10)
#define SLICES_A_THREAD 3

static int handing_hand(void *arg, unsigned slot, unsigned worker)
{
	struct handing *h = arg;
	const struct handing_batch *b = &h->batches[slot];

	if (h->sink->slice)
		return h->sink->slice(h->sink->arg, worker, slot, b->items, b->n);
	return h->sink->batch(h->sink->arg, b->items, b->n);
}

static int handing_end(void *arg, unsigned slot)
{
	struct handing *h = arg;

	return h->sink->slice_end(h->sink->arg, slot);
}

/*
 * Starts the relay. Slices are taken by all workers, of which the caller is one; whole batches by
 * one thread.
 */
static struct relay *start_relay(struct handing *h)
{
	bool slices = h->sink->slice;
	unsigned depth = slices ? SLICES_A_THREAD * h->sink->n_workers : HANDING_DEPTH;

	return relay_new(&(struct relay_work){
		.depth = depth < HANDING_DEPTH ? depth : HANDING_DEPTH,
		.threads = slices ? h->sink->n_workers - 1 : 1,
		.maker_helps = slices,
		.run = handing_hand,
		.end = slices && h->sink->slice_end ? handing_end : NULL,
		.arg = h,
	});
}

void handing_init(struct handing *h, const struct session_sink *sink, bool apart, size_t room)
{
	*h = (struct handing){ .sink = sink };
	if (!sink || !sink->batch || !apart)
		return;
	h->relay = start_relay(h);
	for (size_t i = 0; h->relay && i < HANDING_DEPTH; i++)
		h->batches[i].items = xmalloc(room * sizeof(*h->batches[i].items));
}

void handing_done(struct handing *h)
{
	relay_free(h->relay);
	for (size_t i = 0; i < HANDING_DEPTH; i++)
		free(h->batches[i].items);
}

size_t handing_bytes(const struct handing *h)
{
	return h->relay && h->sink->slice ? SLICE_BYTES : BATCH_BYTES_MAX;
}

int handing_give(struct handing *h, struct delivered **batch, size_t n)
{
	struct delivered *unused;
	unsigned slot;
	int r;

	if (!h->sink || !h->sink->batch || !n)
		return 0;
	if (!h->relay)
		return h->sink->batch(h->sink->arg, *batch, n);
	r = relay_slot(h->relay, &slot);
	if (r)
		return r;
	unused = h->batches[slot].items;
	h->batches[slot] = (struct handing_batch){ *batch, n };
	*batch = unused;
	h->n_given++;
	relay_start(h->relay);
	return 0;
}

int handing_wait(struct handing *h)
{
	return h->relay ? relay_wait(h->relay) : 0;
}

uint64_t handing_pass(struct handing *h, uint64_t position)
{
	uint64_t n_done;

	if (!h->relay)
		return position;
	n_done = relay_done(h->relay);
	if (!h->n_given)
		return 0;
	h->passed[(h->n_given - 1) % (HANDING_DEPTH + 1)] = position;
	return n_done ? h->passed[(n_done - 1) % (HANDING_DEPTH + 1)] : 0;
}
