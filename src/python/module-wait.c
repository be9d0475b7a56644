/* SPDX-License-Identifier: MIT */
/*
 * Long work in a thread of its own.
 *
 * Python calls the handlers of signals in its main thread, and only when that asks for it. So the
 * thread that called us waits, looks for signals now and then, and tells the work to stop.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "python/module.h"

#define LOOK_NS (50 * 1000 * 1000)

struct waiting {
	void (*work)(void *arg);
	void *arg;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool is_done;
};

static void *work_in_thread(void *arg)
{
	struct waiting *w = arg;

	w->work(w->arg);
	pthread_mutex_lock(&w->lock);
	w->is_done = true;
	pthread_cond_signal(&w->ended);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Waits for a while. Returns whether the work is done. */
static bool wait_a_while(struct waiting *w)
{
	struct timespec until;
	bool done;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += LOOK_NS;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_mutex_lock(&w->lock);
	while (!w->is_done)
		if (pthread_cond_timedwait(&w->ended, &w->lock, &until) == ETIMEDOUT)
			break;
	done = w->is_done;
	pthread_mutex_unlock(&w->lock);
	return done;
}

/* Signals are for Python's threads: ours, and those that it starts, take none. */
static int start_thread(struct waiting *w, pthread_t *ret)
{
	sigset_t all, before;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(ret, NULL, work_in_thread, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r;
}

static void waiting_init(struct waiting *w)
{
	pthread_condattr_t attr;

	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->ended, &attr);
	pthread_condattr_destroy(&attr);
}

bool module_wait_for(void (*work)(void *arg), void *arg, atomic_bool *stop)
{
	struct waiting w = { .work = work, .arg = arg };
	PyThreadState *state;
	pthread_t thread;
	bool raised = false, done = false;
	int r;

	waiting_init(&w);
	r = start_thread(&w, &thread);
	if (r) {
		errno = r;
		PyErr_SetFromErrno(PyExc_OSError);
		return false;
	}
	while (!done) {
		state = PyEval_SaveThread();
		done = wait_a_while(&w);
		PyEval_RestoreThread(state);
		if (!done && !raised && PyErr_CheckSignals() < 0) {
			raised = true;
			atomic_store(stop, true);
		}
	}
	pthread_join(thread, NULL);
	pthread_cond_destroy(&w.ended);
	pthread_mutex_destroy(&w.lock);
	return !raised;
}
