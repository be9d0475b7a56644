/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How every thread of ours is started; nothing else calls pthread_create() (tests/meta/threads).
 *
 * A new thread takes no signals: those are for the threads that wait for them. What its own
 * instructions raise, such as SIGBUS when a mapped file shrinks (base/guarded-map.h), stays
 * enabled. Its stack does not depend on `ulimit -s`.
 */
#include <pthread.h>

/* Starts @fn(@arg). It is joined by pthread_join(). A negative errno if there is no thread. */
int thread_start(pthread_t *ret, void *(*fn)(void *arg), void *arg);

/* The same with @attr: a stack of its own size, a CPU. */
int thread_start_with(pthread_t *ret, const pthread_attr_t *attr, void *(*fn)(void *arg),
		      void *arg);
