/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The receiver of raw records that session/deliver.h delivers and session/handing.h passes on in
 * batches.
 */
#include <stdbool.h>
#include <stddef.h>

#include "session/session.h"

/* A set of events. */
struct event_set {
	bool *items; /* by index; events beyond it are not in the set */
	size_t n, room;
};

static inline bool event_set_has(const struct event_set *s, const struct session_event *e)
{
	return e->index < s->n && s->items[e->index];
}

struct session_sink {
	/*
	 * Takes the next records in order of time, @n of them: kernel records, including samples.
	 * Records without a time come immediately. Return < 0 to stop with that error; > 0 to stop.
	 */
	int (*batch)(void *arg, const struct delivered *items, size_t n);
	/*
	 * Takes the same from several threads, numbered below @n_workers, each of which takes
	 * another batch; each slot has one batch at a time. slice_end() is called for them in
	 * order, one at a time. NULL: batch() takes all batches.
	 */
	int (*slice)(void *arg, unsigned worker, unsigned slot, const struct delivered *items,
		     size_t n);
	int (*slice_end)(void *arg, unsigned slot);
	unsigned n_workers;
	/* Takes perf's own record (type >= 64), as it is read; or NULL. */
	int (*user)(void *arg, const struct delivered *d);
	bool stays; /* it wants batches on the caller's thread */
	/*
	 * Samples of these events are skipped: they are counted, but may or may not come. NULL:
	 * none are.
	 */
	const struct event_set *skips;
	void *arg;
};
