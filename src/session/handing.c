/* SPDX-License-Identifier: MIT */
#include "session/handing.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/relay.h"
#include "session/deliver.h"

static int hand(void *arg, unsigned slot)
{
	struct handing *h = arg;

	return h->sink->batch(h->sink->arg, h->batches[slot].items, h->batches[slot].n);
}

void handing_init(struct handing *h, const struct session_sink *sink, bool apart, size_t room)
{
	*h = (struct handing){ .sink = sink };
	if (!sink || !sink->batch || !apart)
		return;
	h->relay = relay_new(HANDING_DEPTH, hand, h);
	for (size_t i = 0; h->relay && i < HANDING_DEPTH; i++)
		h->batches[i].items = xmalloc(room * sizeof(*h->batches[i].items));
}

void handing_done(struct handing *h)
{
	relay_free(h->relay);
	for (size_t i = 0; i < HANDING_DEPTH; i++)
		free(h->batches[i].items);
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
