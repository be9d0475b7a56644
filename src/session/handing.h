/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Batches on their way to a sink: at once, or by threads of their own while the next one is made.
 * Private to session/.
 *
 * With such threads, what the sink may ask about must not change while it works: handing_wait()
 * comes before.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/consumer.h"

struct delivered;
struct relay;
struct session_sink;

/* So many batches may wait for the threads: those of a round become ready all at once. */
#define HANDING_DEPTH CONSUMER_SLICES_MAX

struct handing_batch {
	struct delivered *items; /* in the sink's hands, or free to be filled */
	size_t n;
};

struct handing {
	const struct session_sink *sink; /* NULL: nobody wants batches */
	struct relay *relay;             /* NULL: the caller's thread does it */
	struct handing_batch batches[HANDING_DEPTH];
	uint64_t n_given;
	/* By number of a batch: records before this position were in it or in those before. */
	uint64_t passed[HANDING_DEPTH + 1];
};

/* @apart: with threads of their own, if there are any. @room is that of a batch. */
void handing_init(struct handing *h, const struct session_sink *sink, bool apart, size_t room);

/* How many bytes of records a batch should have. */
size_t handing_bytes(const struct handing *h);
void handing_done(struct handing *h);

/*
 * Hands over the @n items of *@batch, which becomes another array if they are still in use when
 * this returns. Returns what the sink returned, maybe for the batch before.
 */
int handing_give(struct handing *h, struct delivered **batch, size_t n);

/* Waits until the sink is done with all it has got. Returns what it returned last. */
int handing_wait(struct handing *h);

/*
 * Records before @position are no longer waiting for their turn. Returns the position before which
 * nothing is in use.
 */
uint64_t handing_pass(struct handing *h, uint64_t position);
