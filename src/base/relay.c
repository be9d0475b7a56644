/* SPDX-License-Identifier: MIT */
#include "base/relay.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/affinity.h"
#include "base/memory.h"
#include "base/thread.h"

struct relay_thread {
	struct relay *relay;
	pthread_t thread;
	unsigned number;
};

struct relay {
	pthread_mutex_t lock;
	pthread_cond_t started, ended;
	uint64_t n_started, n_begun, n_ended;
	bool ending; /* a thread is ending the ready pieces */
	bool stop;
	int result; /* the first result that was not 0 */
	struct relay_work work;
	bool *ready; /* by slot: the piece was run, and waits for its end */
	struct relay_thread *threads;
	unsigned n_threads; /* the number of threads that were started */
};

static unsigned relay_slot_of(const struct relay *r, uint64_t piece)
{
	return (unsigned)(piece % r->work.depth);
}

/*
 * Ends the ready pieces, unless another thread is doing so: that thread will see those that have
 * become ready since.
 */
static void end_ready(struct relay *r)
{
	if (r->ending)
		return;
	r->ending = true;
	while (r->n_ended < r->n_begun && r->ready[relay_slot_of(r, r->n_ended)]) {
		unsigned slot = relay_slot_of(r, r->n_ended);
		int result = r->result;

		if (!result && r->work.end) {
			pthread_mutex_unlock(&r->lock);
			result = r->work.end(r->work.arg, slot);
			pthread_mutex_lock(&r->lock);
		}
		if (!r->result)
			r->result = result;
		r->ready[slot] = false;
		r->n_ended++;
		pthread_cond_signal(&r->ended);
	}
	r->ending = false;
}

/* Processes the next piece. Called with the lock held, which is released in the meantime. */
static void do_next(struct relay *r, unsigned worker)
{
	unsigned slot = relay_slot_of(r, r->n_begun++);
	int result = r->result;

	if (!result) {
		pthread_mutex_unlock(&r->lock);
		result = r->work.run(r->work.arg, slot, worker);
		pthread_mutex_lock(&r->lock);
	}
	if (!r->result)
		r->result = result;
	r->ready[slot] = true;
	end_ready(r);
}

static void *relay_work(void *arg)
{
	struct relay_thread *t = arg;
	struct relay *r = t->relay;

	pthread_mutex_lock(&r->lock);
	for (;;) {
		while (r->n_begun == r->n_started && !r->stop)
			pthread_cond_wait(&r->started, &r->lock);
		if (r->n_begun == r->n_started)
			break;
		do_next(r, t->number);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static void start_threads(struct relay *r)
{
	r->threads = xcalloc(r->work.threads, sizeof(*r->threads));
	for (; r->n_threads < r->work.threads; r->n_threads++) {
		struct relay_thread *t = &r->threads[r->n_threads];

		t->relay = r;
		t->number = r->n_threads + r->work.maker_helps;
		/* With fewer threads the work only takes longer. */
		if (thread_start(&t->thread, relay_work, t) < 0)
			break;
	}
}

struct relay *relay_new(const struct relay_work *w)
{
	struct relay *r;

	if (affinity_count() < 2)
		return NULL;
	r = xcalloc(1, sizeof(*r));
	r->work = *w;
	r->ready = xcalloc(w->depth, sizeof(*r->ready));
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->started, NULL);
	pthread_cond_init(&r->ended, NULL);
	start_threads(r);
	if (r->n_threads)
		return r;
	relay_free(r);
	return NULL;
}

void relay_free(struct relay *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_broadcast(&r->started);
	pthread_mutex_unlock(&r->lock);
	for (unsigned i = 0; i < r->n_threads; i++)
		pthread_join(r->threads[i].thread, NULL);
	pthread_cond_destroy(&r->started);
	pthread_cond_destroy(&r->ended);
	pthread_mutex_destroy(&r->lock);
	free(r->threads);
	free(r->ready);
	free(r);
}

/* Waits until at most @left pieces are unfinished, or processes some of them. */
static int relay_wait_for(struct relay *r, uint64_t left)
{
	while (r->n_started - r->n_ended > left) {
		if (r->work.maker_helps && r->n_begun < r->n_started)
			do_next(r, 0);
		else
			pthread_cond_wait(&r->ended, &r->lock);
	}
	return r->result;
}

int relay_slot(struct relay *r, unsigned *ret_slot)
{
	int result;

	pthread_mutex_lock(&r->lock);
	result = relay_wait_for(r, r->work.depth - 1);
	*ret_slot = relay_slot_of(r, r->n_started);
	pthread_mutex_unlock(&r->lock);
	return result;
}

void relay_start(struct relay *r)
{
	pthread_mutex_lock(&r->lock);
	r->n_started++;
	pthread_cond_signal(&r->started);
	pthread_mutex_unlock(&r->lock);
}

int relay_wait(struct relay *r)
{
	int result;

	pthread_mutex_lock(&r->lock);
	result = relay_wait_for(r, 0);
	pthread_mutex_unlock(&r->lock);
	return result;
}

uint64_t relay_done(struct relay *r)
{
	uint64_t n;

	pthread_mutex_lock(&r->lock);
	n = r->n_ended;
	pthread_mutex_unlock(&r->lock);
	return n;
}
