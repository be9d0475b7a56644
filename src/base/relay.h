/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Threads that take over pieces of work while their maker prepares the next.
 *
 *	struct relay *r = relay_new(&work);
 *	for each piece:
 *		relay_slot(r, &slot);
 *		put the piece where run() looks for that of this slot;
 *		relay_start(r);
 *	relay_wait(r);
 *
 * Pieces are begun in the order in which they were made, several at once if there are several
 * threads, and ended in that order, one at a time.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"

struct relay;

/* Callbacks return 0; once one returns something else, the pieces that follow are dropped. */
struct relay_work {
	unsigned depth;   /* so many pieces may wait or be in work */
	unsigned threads; /* beside the maker's */
	bool maker_helps; /* where it would have to wait */
	/* @worker is 0 for the maker if it helps, and then from 1 on for the others; else from 0
	 * on. */
	int (*run)(void *arg, unsigned slot, unsigned worker);
	int (*end)(void *arg, unsigned slot); /* by whichever thread; NULL: nothing to do */
	void *arg;
};

/* NULL: there is only one CPU, or no thread. @work is copied. */
struct relay *relay_new(const struct relay_work *work);

/* Waits for all pieces. */
void relay_free(struct relay *r);
DEFINE_FREEP(relay)

/*
 * Waits for a slot that is free: @ret_slot, below the depth. Returns what a callback returned, if
 * that was not 0: then no slot is given.
 */
int relay_slot(struct relay *r, unsigned *ret_slot);

/* The piece in the slot that was given last is ready. */
void relay_start(struct relay *r);

/* Waits until no piece is left. Returns what a callback returned, if that was not 0. */
int relay_wait(struct relay *r);

/* How many pieces are done. */
uint64_t relay_done(struct relay *r);
