/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A queue of batches of bytes, from the thread that collects them to a thread that processes them,
 * in order, one at a time.
 *
 * Memory is bounded: adding a batch blocks while too much is waiting already. Buffers are reused:
 * an empty one that was used before is returned for each batch.
 */
#include <stddef.h>

#include "base/bytes.h"
#include "base/cleanup.h"

struct batch_queue;

/*
 * Starts a thread that calls @consume for every batch. @consume may exchange *@batch for other
 * bytes that are no longer needed. If it returns a negative errno, batch_queue_add() returns that
 * error from then on, and later batches are dropped. Returns NULL if no thread can be started.
 */
struct batch_queue *batch_queue_new(int (*consume)(void *arg, struct bytes *batch), void *arg);

/* Consumes the waiting batches, and ends the thread. */
void batch_queue_free(struct batch_queue *q);
DEFINE_FREEP(batch_queue)

/* Passes on *@batch, which is empty afterwards. Returns 0, or the error of a consumer. */
int batch_queue_add(struct batch_queue *q, struct bytes *batch);

/*
 * Waits until everything has been consumed. The caller may use the consumer's state until the next
 * batch. Returns the same as above.
 */
int batch_queue_settle(struct batch_queue *q);
