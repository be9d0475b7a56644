/* SPDX-License-Identifier: MIT */
/*
 * Runs long work in a thread of its own.
 *
 * Python calls signal handlers in its main thread, and only when that thread asks for it. So the
 * thread that called us waits, checks for signals at intervals, and tells the work to stop. Work
 * that waits for a pipe without a writer cannot stop: its thread is abandoned, with everything it
 * uses.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "base/thread.h"
#include "python/module.h"

#define LOOK_NS   (50 * 1000 * 1000)
#define LOOKS_MAX 20 /* after an exception, until the work is abandoned */

struct waiting {
	void (*work)(void *arg);
	void *arg;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool is_done;
	bool is_abandoned; /* the thread releases this */
};

static void waiting_free(struct waiting *w)
{
	pthread_cond_destroy(&w->ended);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

static void *work_in_thread(void *arg)
{
	struct waiting *w = arg;
	bool abandoned;

	w->work(w->arg);
	pthread_mutex_lock(&w->lock);
	w->is_done = true;
	abandoned = w->is_abandoned;
	pthread_cond_signal(&w->ended);
	pthread_mutex_unlock(&w->lock);
	if (abandoned)
		waiting_free(w);
	return NULL;
}

/* Waits for a while. Returns true if the work is done. */
static bool python_module_wait_a_while(struct waiting *w)
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

static struct waiting *waiting_new(void (*work)(void *arg), void *arg)
{
	struct waiting *w = xcalloc(1, sizeof(*w));
	pthread_condattr_t attr;

	w->work = work;
	w->arg = arg;
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->ended, &attr);
	pthread_condattr_destroy(&attr);
	return w;
}

/* Abandons the thread, unless it has just ended. */
static bool python_module_wait_abandon(struct waiting *w)
{
	bool done;

	pthread_mutex_lock(&w->lock);
	done = w->is_done;
	w->is_abandoned = !done;
	pthread_mutex_unlock(&w->lock);
	return !done;
}

/* Waits for the end, or until an exception was raised and time has passed. */
static enum module_wait look_for_signals(struct waiting *w, atomic_bool *stop)
{
	bool raised = false;

	for (unsigned looks = 0; looks < LOOKS_MAX; looks += raised) {
		PyThreadState *state = PyEval_SaveThread();
		bool done = python_module_wait_a_while(w);

		PyEval_RestoreThread(state);
		if (done)
			return raised ? WAIT_RAISED : WAIT_DONE;
		if (!raised && PyErr_CheckSignals() < 0) {
			raised = true;
			atomic_store(stop, true);
		}
	}
	return python_module_wait_abandon(w) ? WAIT_ABANDONED : WAIT_RAISED;
}

enum module_wait module_wait_for(void (*work)(void *arg), void *arg, atomic_bool *stop)
{
	struct waiting *w = waiting_new(work, arg);
	enum module_wait result;
	pthread_t thread;
	int r = thread_start(&thread, work_in_thread, w);

	if (r < 0) {
		waiting_free(w);
		errno = -r;
		PyErr_SetFromErrno(PyExc_OSError);
		return WAIT_RAISED;
	}
	result = look_for_signals(w, stop);
	if (result == WAIT_ABANDONED) {
		pthread_detach(thread);
		return result;
	}
	pthread_join(thread, NULL);
	waiting_free(w);
	return result;
}
