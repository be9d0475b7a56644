/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Hands batches to a sink: directly, or on threads of their own while the next batch is made.
 * Private to session/.
 *
 * With such threads, data that the sink may look up must not change while it works: handing_wait()
 * must be called before.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/consumer.h"

struct delivered;
struct relay;
struct session_sink;

/*
 * At most this many batches wait for the threads: all batches of a round become ready at the same
 * time.
 */
#define HANDING_DEPTH CONSUMER_SLICES_MAX

struct handing_batch {
	struct delivered *items; /* used by the sink, or free to be filled */
	size_t n;
};

struct handing {
	const struct session_sink *sink; /* NULL: batches are not wanted */
	struct relay *relay;             /* NULL: the caller's thread does the work */
	struct handing_batch batches[HANDING_DEPTH];
	uint64_t n_given;
	/*
	 * By number of a batch: records before this position were in that batch or in those before
	 * it.
	 */
	uint64_t passed[HANDING_DEPTH + 1];
};

/*
 * Initialises @h. @apart: use threads of their own, if there are any. @room is the capacity of a
 * batch.
 */
void handing_init(struct handing *h, const struct session_sink *sink, bool apart, size_t room);

/* Returns how many bytes of records a batch should have. */
size_t handing_bytes(const struct handing *h);
void handing_done(struct handing *h);

/*
 * Hands over the @n items of *@batch, which becomes another array if they are still in use when
 * this returns. Returns the sink's result, which may be for the batch before.
 */
int handing_give(struct handing *h, struct delivered **batch, size_t n);

/* Waits until the sink is done with all batches. Returns its last result. */
int handing_wait(struct handing *h);

/*
 * Notes that records before @position are no longer waiting for their turn. Returns the position
 * before which nothing is in use.
 */
uint64_t handing_pass(struct handing *h, uint64_t position);
