/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Threads that process pieces of work while their maker prepares the next.
 *
 *	struct relay *r = relay_new(&work);
 *	for each piece:
 *		relay_slot(r, &slot);
 *		put the piece where run() looks for that of this slot;
 *		relay_start(r);
 *	relay_wait(r);
 *
 * Pieces are begun in the order in which they were made, several at once if there are several
 * threads. They are ended in that order, one at a time.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"

struct relay;

/*
 * The work of a relay. Callbacks return 0; once one returns something else, the following pieces
 * are dropped.
 */
struct relay_work {
	unsigned depth;   /* at most this many pieces may wait or be in work */
	unsigned threads; /* threads in addition to the maker's */
	bool maker_helps; /* the maker runs pieces where it would have to wait */
	/*
	 * @worker counts the threads from 0 on. If the maker helps, it is 0 and the others are
	 * numbered from 1 on.
	 */
	int (*run)(void *arg, unsigned slot, unsigned worker);
	int (*end)(void *arg, unsigned slot); /* called on any thread; NULL: nothing to do */
	void *arg;
};

/* Starts a relay. NULL: there is only one CPU, or no thread could be started. @work is copied. */
struct relay *relay_new(const struct relay_work *work);

/* Waits for all pieces and frees @r. */
void relay_free(struct relay *r);
DEFINE_FREEP(relay)

/*
 * Waits for a free slot and stores its number, below the depth, in @ret_slot. If a callback
 * returned a value other than 0, returns that value and gives no slot.
 */
int relay_slot(struct relay *r, unsigned *ret_slot);

/* Marks the piece in the slot that was given last as ready. */
void relay_start(struct relay *r);

/* Waits until no piece is left. Returns a callback's result if it was not 0. */
int relay_wait(struct relay *r);

/* Returns the number of pieces that are done. */
uint64_t relay_done(struct relay *r);
