/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Starts all our threads; no other code calls pthread_create() (tests/meta/threads).
 *
 * A new thread receives no signals, which are for the threads that wait for them. Signals raised by
 * its own instructions, such as SIGBUS when a mapped file shrinks (base/guarded-map.h), stay
 * enabled. Its stack does not depend on `ulimit -s`.
 */
#include <pthread.h>

/*
 * Starts @fn(@arg). The thread is joined by pthread_join(). Returns a negative errno if it cannot
 * be started.
 */
int thread_start(pthread_t *ret, void *(*fn)(void *arg), void *arg);

/* Does the same with @attr: a stack of its own size, a CPU. */
int thread_start_with(pthread_t *ret, const pthread_attr_t *attr, void *(*fn)(void *arg),
		      void *arg);
