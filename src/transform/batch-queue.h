/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Batches of bytes on their way from the thread that gathers them to a thread that works on them,
 * in order, one at a time.
 *
 * Memory is bounded: whoever adds a batch waits while too much waits already. Buffers go round:
 * for each batch an empty one that was used before comes back.
 */
#include <stddef.h>

#include "base/bytes.h"
#include "base/cleanup.h"

struct batch_queue;

/*
 * Starts a thread that calls @consume for every batch. *@batch may be exchanged for other bytes
 * that are no longer needed. A negative errno: the error that batch_queue_add() gives from then on,
 * while later batches are dropped. NULL: no thread can be made.
 */
struct batch_queue *batch_queue_new(int (*consume)(void *arg, struct bytes *batch), void *arg);

/* Consumes what waits, and ends the thread. */
void batch_queue_free(struct batch_queue *q);
DEFINE_FREEP(batch_queue)

/* Hands over *@batch, which is empty then. 0, or the error that a consumer gave. */
int batch_queue_add(struct batch_queue *q, struct bytes *batch);

/* Waits until all has been consumed: its state is the caller's until the next batch. As above. */
int batch_queue_settle(struct batch_queue *q);
