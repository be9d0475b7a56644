/* SPDX-License-Identifier: MIT */
#include "session/handing.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/relay.h"
#include "session/deliver.h"

static int hand(void *arg)
{
	struct handing *h = arg;

	return h->sink->batch(h->sink->arg, h->items, h->n);
}

void handing_init(struct handing *h, const struct session_sink *sink, bool apart, size_t room)
{
	*h = (struct handing){ .sink = sink };
	if (!sink || !sink->batch || !apart)
		return;
	h->relay = relay_new(hand, h);
	if (h->relay)
		h->items = xmalloc(room * sizeof(*h->items));
}

void handing_done(struct handing *h)
{
	relay_free(h->relay);
	free(h->items);
}

int handing_give(struct handing *h, struct delivered **batch, size_t n)
{
	struct delivered *free_items = h->items;
	int r;

	if (!h->sink || !h->sink->batch || !n)
		return 0;
	if (!h->relay)
		return h->sink->batch(h->sink->arg, *batch, n);
	r = relay_wait(h->relay);
	if (r)
		return r;
	h->items = *batch;
	h->n = n;
	*batch = free_items;
	relay_start(h->relay);
	return 0;
}

int handing_wait(struct handing *h)
{
	return h->relay ? relay_wait(h->relay) : 0;
}

uint64_t handing_pass(struct handing *h, uint64_t position)
{
	uint64_t before = h->passed;

	h->passed = position;
	return h->relay ? before : position;
}
