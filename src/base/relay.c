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
	pthread_cond_t changed;
	bool busy, stop;
	int result;
	int (*run)(void *arg);
	void *arg;
};

static void *work(void *arg)
{
	struct relay *r = arg;

	pthread_mutex_lock(&r->lock);
	for (;;) {
		int result;

		while (!r->busy && !r->stop)
			pthread_cond_wait(&r->changed, &r->lock);
		if (!r->busy)
			break;
		pthread_mutex_unlock(&r->lock);
		result = r->run(r->arg);
		pthread_mutex_lock(&r->lock);
		r->result = result;
		r->busy = false;
		pthread_cond_signal(&r->changed);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static bool has_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 1;
}

struct relay *relay_new(int (*run)(void *arg), void *arg)
{
	struct relay *r;

	if (!has_cpus())
		return NULL;
	r = xcalloc(1, sizeof(*r));
	r->run = run;
	r->arg = arg;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
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
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->thread, NULL);
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

void relay_start(struct relay *r)
{
	pthread_mutex_lock(&r->lock);
	r->busy = true;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

int relay_wait(struct relay *r)
{
	int result;

	pthread_mutex_lock(&r->lock);
	while (r->busy)
		pthread_cond_wait(&r->changed, &r->lock);
	result = r->result;
	pthread_mutex_unlock(&r->lock);
	return result;
}
