/* SPDX-License-Identifier: MIT */
#include "session/chain-depths.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "wire/record.h"

struct chain_depths {
	atomic_uint_fast64_t stacks;
	pthread_mutex_t lock; /* guards the rest */
	struct chain_depth *items;
	size_t n, room;
};

struct chain_depths *chain_depths_new(void)
{
	struct chain_depths *d = xcalloc(1, sizeof(*d));

	pthread_mutex_init(&d->lock, NULL);
	return d;
}

void chain_depths_free(struct chain_depths *d)
{
	if (!d)
		return;
	pthread_mutex_destroy(&d->lock);
	free(d->items);
	free(d);
}

size_t chain_depth_of(const struct words *c)
{
	size_t frames = 0;

	for (size_t i = 0; i < c->n; i++) {
		uint64_t ip = words_get(c, i);

		if (ip == PERF_CONTEXT_USER_DEFERRED)
			i++; /* skips the cookie that follows */
		frames += ip < PERF_CONTEXT_MAX;
	}
	return frames;
}

void chain_depths_add(struct chain_depths *d, size_t event, size_t frames)
{
	struct chain_depth *e;

	pthread_mutex_lock(&d->lock);
	while (d->n <= event)
		*ARRAY_ADD(d) = (struct chain_depth){ 0 };
	e = &d->items[event];
	if (frames > e->frames)
		*e = (struct chain_depth){ .frames = frames };
	e->n += frames == e->frames;
	pthread_mutex_unlock(&d->lock);
}

void chain_depths_add_stacks(struct chain_depths *d, uint64_t n)
{
	atomic_fetch_add_explicit(&d->stacks, n, memory_order_relaxed);
}

uint64_t chain_depths_stacks(const struct chain_depths *d)
{
	return d->stacks;
}

struct chain_depth chain_depths_of(const struct chain_depths *d, size_t event)
{
	return event < d->n ? d->items[event] : (struct chain_depth){ 0 };
}
