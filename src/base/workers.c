/* SPDX-License-Identifier: MIT */
#include "base/workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/affinity.h"
#include "base/memory.h"
#include "base/thread.h"

struct helper {
	struct workers *workers;
	pthread_t thread;
	unsigned number;
};

struct workers {
	pthread_mutex_t lock;
	pthread_cond_t begin, end;
	unsigned long job; /* counts jobs: a helper that sees a new number has work */
	unsigned busy;     /* helpers that have not finished the job */
	bool stop;

	void (*fn)(void *arg, size_t piece, unsigned worker);
	void *arg;
	size_t pieces;
	atomic_size_t next;

	unsigned n;       /* number of threads, including the caller */
	size_t n_helpers; /* number of helpers that were started */
	struct helper *helpers;
};

static void workers_work(struct workers *w, unsigned number)
{
	size_t piece;

	while ((piece = atomic_fetch_add(&w->next, 1)) < w->pieces)
		w->fn(w->arg, piece, number);
}

static void *workers_help(void *arg)
{
	struct helper *h = arg;
	struct workers *w = h->workers;
	unsigned long done = 0;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		while (!w->stop && w->job == done)
			pthread_cond_wait(&w->begin, &w->lock);
		if (w->stop)
			break;
		done = w->job;
		pthread_mutex_unlock(&w->lock);
		workers_work(w, h->number);
		pthread_mutex_lock(&w->lock);
		if (!--w->busy)
			pthread_cond_signal(&w->end);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

struct workers *workers_new(unsigned n, unsigned most)
{
	struct workers *w = xcalloc(1, sizeof(*w));

	if (!n)
		n = affinity_count();
	if (n > most)
		n = most;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->begin, NULL);
	pthread_cond_init(&w->end, NULL);
	w->n = n;
	return w;
}

static void workers_start(struct workers *w)
{
	w->helpers = xcalloc(w->n, sizeof(*w->helpers));
	for (; w->n_helpers + 1 < w->n; w->n_helpers++) {
		struct helper *h = &w->helpers[w->n_helpers];

		*h = (struct helper){ .workers = w, .number = (unsigned)w->n_helpers + 1 };
		/* With fewer threads the work only takes longer. */
		if (thread_start(&h->thread, workers_help, h) < 0)
			break;
	}
}

void workers_free(struct workers *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_broadcast(&w->begin);
	pthread_mutex_unlock(&w->lock);
	for (size_t i = 0; i < w->n_helpers; i++)
		pthread_join(w->helpers[i].thread, NULL);
	pthread_cond_destroy(&w->begin);
	pthread_cond_destroy(&w->end);
	pthread_mutex_destroy(&w->lock);
	free(w->helpers);
	free(w);
}

unsigned workers_count(const struct workers *w)
{
	return w->n;
}

void workers_run(struct workers *w, size_t pieces,
		 void (*fn)(void *arg, size_t piece, unsigned worker), void *arg)
{
	if (pieces > 1 && !w->helpers)
		workers_start(w);
	if (pieces <= 1 || !w->n_helpers) {
		for (size_t i = 0; i < pieces; i++)
			fn(arg, i, 0);
		return;
	}
	pthread_mutex_lock(&w->lock);
	w->fn = fn;
	w->arg = arg;
	w->pieces = pieces;
	atomic_store(&w->next, 0);
	w->busy = (unsigned)w->n_helpers;
	w->job++;
	pthread_cond_broadcast(&w->begin);
	pthread_mutex_unlock(&w->lock);

	workers_work(w, 0);

	pthread_mutex_lock(&w->lock);
	while (w->busy)
		pthread_cond_wait(&w->end, &w->lock);
	pthread_mutex_unlock(&w->lock);
}
