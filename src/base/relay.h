/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A thread that takes over one piece of work after the other, while its maker prepares the next.
 *
 *	struct relay *r = relay_new(fn, arg);
 *	for each piece:
 *		prepare it;
 *		stop if relay_wait(r) is not 0;
 *		put it where fn() looks for it;
 *		relay_start(r);
 *	relay_wait(r);
 */
#include "base/cleanup.h"

struct relay;

/* @run is called with @arg for each relay_start(). NULL: there is only one CPU, or no thread. */
struct relay *relay_new(int (*run)(void *arg), void *arg);

/* Waits for the piece in work. */
void relay_free(struct relay *r);
DEFINE_FREEP(relay)

/* Begins with the next piece. The one before must have been waited for. */
void relay_start(struct relay *r);

/* Waits until no piece is in work. Returns what @run returned for the last one; 0 before. */
int relay_wait(struct relay *r);
