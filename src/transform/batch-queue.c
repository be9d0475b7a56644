/* SPDX-License-Identifier: MIT */
#include "transform/batch-queue.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/thread.h"

/*
 * The maximum number of batches, and of their bytes. A pass over rings is usually small; under
 * load, all rings together hold this number of bytes.
 */
#define BATCHES_MAX 8
#define BYTES_MAX   ((size_t)64 << 20)
#define SPARES_MAX  3

struct batch_queue {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more; /* a batch has arrived, or the end */
	pthread_cond_t less; /* a batch has been consumed */
	int (*consume)(void *arg, struct bytes *batch);
	void *arg;
	struct bytes waiting[BATCHES_MAX]; /* a ring that begins at @first */
	size_t first, n;
	size_t bytes;
	struct bytes spares[SPARES_MAX];
	size_t n_spares;
	bool is_busy, is_over;
	int error;
};

static bool batch_queue_is_full(const struct batch_queue *q)
{
	return q->n == BATCHES_MAX || (q->n && q->bytes > BYTES_MAX);
}

static struct bytes take_first(struct batch_queue *q)
{
	struct bytes b = q->waiting[q->first];

	q->waiting[q->first] = (struct bytes){ 0 };
	q->first = (q->first + 1) % BATCHES_MAX;
	q->n--;
	q->bytes -= b.n;
	return b;
}

static void give_back(struct batch_queue *q, struct bytes *b)
{
	b->n = 0;
	if (q->n_spares < SPARES_MAX)
		q->spares[q->n_spares++] = *b;
	else
		bytes_done(b);
}

/* Consumes the first batch. The caller holds the lock, which is released meanwhile. */
static void consume_first(struct batch_queue *q)
{
	struct bytes b = take_first(q);
	int r = q->error;

	q->is_busy = true;
	pthread_mutex_unlock(&q->lock);
	if (r >= 0)
		r = q->consume(q->arg, &b);
	pthread_mutex_lock(&q->lock);
	q->is_busy = false;
	if (r < 0)
		q->error = r;
	give_back(q, &b);
	pthread_cond_broadcast(&q->less);
}

static void *batch_queue_work(void *arg)
{
	struct batch_queue *q = arg;

	pthread_mutex_lock(&q->lock);
	for (;;) {
		while (!q->n && !q->is_over)
			pthread_cond_wait(&q->more, &q->lock);
		if (!q->n)
			break;
		consume_first(q);
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

static void batch_queue_release(struct batch_queue *q)
{
	while (q->n_spares)
		bytes_done(&q->spares[--q->n_spares]);
	pthread_mutex_destroy(&q->lock);
	pthread_cond_destroy(&q->more);
	pthread_cond_destroy(&q->less);
	free(q);
}

struct batch_queue *batch_queue_new(int (*consume)(void *arg, struct bytes *batch), void *arg)
{
	struct batch_queue *q = xcalloc(1, sizeof(*q));

	q->consume = consume;
	q->arg = arg;
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->more, NULL);
	pthread_cond_init(&q->less, NULL);
	if (thread_start(&q->thread, batch_queue_work, q) < 0) {
		batch_queue_release(q);
		return NULL;
	}
	return q;
}

void batch_queue_free(struct batch_queue *q)
{
	if (!q)
		return;
	pthread_mutex_lock(&q->lock);
	q->is_over = true;
	pthread_cond_signal(&q->more);
	pthread_mutex_unlock(&q->lock);
	pthread_join(q->thread, NULL);
	batch_queue_release(q);
}

int batch_queue_add(struct batch_queue *q, struct bytes *batch)
{
	int r;

	pthread_mutex_lock(&q->lock);
	while (batch_queue_is_full(q))
		pthread_cond_wait(&q->less, &q->lock);
	q->waiting[(q->first + q->n++) % BATCHES_MAX] = *batch;
	q->bytes += batch->n;
	*batch = q->n_spares ? q->spares[--q->n_spares] : (struct bytes){ 0 };
	r = q->error;
	pthread_cond_signal(&q->more);
	pthread_mutex_unlock(&q->lock);
	return r;
}

int batch_queue_settle(struct batch_queue *q)
{
	int r;

	pthread_mutex_lock(&q->lock);
	while (q->n || q->is_busy)
		pthread_cond_wait(&q->less, &q->lock);
	r = q->error;
	pthread_mutex_unlock(&q->lock);
	return r;
}
