/* SPDX-License-Identifier: MIT */
#include "base/thread.h"

#include <signal.h>
#include <stddef.h>

#include "base/cleanup.h"

/*
 * The usual size; and where address space is limited, the least that libraries are known to need.
 */
#define STACK_USUAL ((size_t)8 << 20)
#define STACK_SMALL ((size_t)1 << 20)

/* If such a signal occurs while it is blocked, the thread is killed, whatever the handler. */
static const int faults[] = { SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };

int thread_start_with(pthread_t *ret, const pthread_attr_t *attr, void *(*fn)(void *arg), void *arg)
{
	sigset_t none, before;
	int r;

	sigfillset(&none);
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		sigdelset(&none, faults[i]);
	/* A new thread inherits the mask. */
	pthread_sigmask(SIG_SETMASK, &none, &before);
	r = pthread_create(ret, attr, fn, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -r;
}

static int thread_start_sized(pthread_t *ret, size_t stack, void *(*fn)(void *arg), void *arg)
{
	pthread_attr_t attr;
	int r;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, stack);
	r = thread_start_with(ret, &attr, fn, arg);
	pthread_attr_destroy(&attr);
	return r;
}

int thread_start(pthread_t *ret, void *(*fn)(void *arg), void *arg)
{
	int r = thread_start_sized(ret, STACK_USUAL, fn, arg);

	return r < 0 ? thread_start_sized(ret, STACK_SMALL, fn, arg) : r;
}
