/* SPDX-License-Identifier: MIT */
#include "base/relay.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

struct relay {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t started, ended;
	uint64_t n_started, n_ended;
	unsigned depth;
	bool stop;
	int result; /* the first that was not 0 */
	int (*run)(void *arg, unsigned slot);
	void *arg;
};

/* Does the next piece. Called with the lock held, which is released meanwhile. */
static void do_next(struct relay *r)
{
	unsigned slot = (unsigned)(r->n_ended % r->depth);
	int result = r->result;

	if (!result) {
		pthread_mutex_unlock(&r->lock);
		result = r->run(r->arg, slot);
		pthread_mutex_lock(&r->lock);
	}
	r->result = result;
	r->n_ended++;
	pthread_cond_signal(&r->ended);
}

static void *work(void *arg)
{
	struct relay *r = arg;

	pthread_mutex_lock(&r->lock);
	for (;;) {
		while (r->n_ended == r->n_started && !r->stop)
			pthread_cond_wait(&r->started, &r->lock);
		if (r->n_ended == r->n_started)
			break;
		do_next(r);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static bool has_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 1;
}

struct relay *relay_new(unsigned depth, int (*run)(void *arg, unsigned slot), void *arg)
{
	struct relay *r;

	if (!has_cpus())
		return NULL;
	r = xcalloc(1, sizeof(*r));
	r->depth = depth;
	r->run = run;
	r->arg = arg;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->started, NULL);
	pthread_cond_init(&r->ended, NULL);
	if (pthread_create(&r->thread, NULL, work, r) != 0) {
		free(r);
		return NULL;
	}
	return r;
}

void relay_free(struct relay *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_signal(&r->started);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->thread, NULL);
	pthread_cond_destroy(&r->started);
	pthread_cond_destroy(&r->ended);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

/* Waits until at most @left pieces are not done. */
static int wait_for(struct relay *r, uint64_t left)
{
	while (r->n_started - r->n_ended > left)
		pthread_cond_wait(&r->ended, &r->lock);
	return r->result;
}

int relay_slot(struct relay *r, unsigned *ret_slot)
{
	int result;

	pthread_mutex_lock(&r->lock);
	result = wait_for(r, r->depth - 1);
	*ret_slot = (unsigned)(r->n_started % r->depth);
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
	result = wait_for(r, 0);
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
