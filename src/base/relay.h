/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A thread that takes over pieces of work, one after the other, while its maker prepares the next.
 *
 *	struct relay *r = relay_new(depth, fn, arg);
 *	for each piece:
 *		relay_slot(r, &slot);
 *		put the piece where fn() looks for that of this slot;
 *		relay_start(r);
 *	relay_wait(r);
 */
#include <stdint.h>

#include "base/cleanup.h"

struct relay;

/*
 * Up to @depth pieces wait or are in work; @run is called with @arg for each, in the order in which
 * they were started. Once it returns something other than 0, the rest is dropped. NULL: there is
 * only one CPU, or no thread.
 */
struct relay *relay_new(unsigned depth, int (*run)(void *arg, unsigned slot), void *arg);

/* Waits for all pieces. */
void relay_free(struct relay *r);
DEFINE_FREEP(relay)

/*
 * Waits for a slot that is free: @ret_slot, below the depth. Returns what @run returned, if that
 * was not 0: then no slot is given.
 */
int relay_slot(struct relay *r, unsigned *ret_slot);

/* The piece in the slot that was given last is ready. */
void relay_start(struct relay *r);

/* Waits until no piece is left. Returns what @run returned, if that was not 0. */
int relay_wait(struct relay *r);

/* How many pieces are done. */
uint64_t relay_done(struct relay *r);
