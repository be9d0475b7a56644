/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "base/cleanup.h"
#include "base/thread.h"
#include "tools/test/workload/workload.h"

/* The number of functions below. */
#define THREADS_MAX 25

static volatile unsigned long named_rounds;
static volatile double loops;

/* Each thread has a name and a function of its own: thread3 runs named_threads_thread3(). */
#define NAMED_THREAD(n)                                                                            \
	__attribute__((noinline)) void named_threads_thread##n(void);                              \
	void named_threads_thread##n(void)                                                         \
	{                                                                                          \
		for (double i = 0; i < loops; i++)                                                 \
			named_rounds += n;                                                         \
	}

NAMED_THREAD(1)
NAMED_THREAD(2)
NAMED_THREAD(3)
NAMED_THREAD(4)
NAMED_THREAD(5)
NAMED_THREAD(6)
NAMED_THREAD(7)
NAMED_THREAD(8)
NAMED_THREAD(9)
NAMED_THREAD(10)
NAMED_THREAD(11)
NAMED_THREAD(12)
NAMED_THREAD(13)
NAMED_THREAD(14)
NAMED_THREAD(15)
NAMED_THREAD(16)
NAMED_THREAD(17)
NAMED_THREAD(18)
NAMED_THREAD(19)
NAMED_THREAD(20)
NAMED_THREAD(21)
NAMED_THREAD(22)
NAMED_THREAD(23)
NAMED_THREAD(24)
NAMED_THREAD(25)

static void (*const functions[THREADS_MAX])(void) = {
	named_threads_thread1,  named_threads_thread2,  named_threads_thread3,
	named_threads_thread4,  named_threads_thread5,  named_threads_thread6,
	named_threads_thread7,  named_threads_thread8,  named_threads_thread9,
	named_threads_thread10, named_threads_thread11, named_threads_thread12,
	named_threads_thread13, named_threads_thread14, named_threads_thread15,
	named_threads_thread16, named_threads_thread17, named_threads_thread18,
	named_threads_thread19, named_threads_thread20, named_threads_thread21,
	named_threads_thread22, named_threads_thread23, named_threads_thread24,
	named_threads_thread25,
};

static void *run_named(void *arg)
{
	uintptr_t i = (uintptr_t)arg;
	char name[16];

	snprintf(name, sizeof(name), "thread%u", (unsigned)i + 1);
	prctl(PR_SET_NAME, name);
	functions[i]();
	return NULL;
}

static int named_threads(const double *numbers)
{
	size_t n = (size_t)numbers[0], begun = 0;
	pthread_t threads[THREADS_MAX];
	int r = 0;

	loops = numbers[1];
	for (; begun < n; begun++) {
		r = thread_start(&threads[begun], run_named, (void *)(uintptr_t)begun);
		if (r < 0)
			break;
	}
	for (size_t i = 0; i < begun; i++)
		pthread_join(threads[i], NULL);
	return r;
}

const struct test_workload test_workload_named_threads = {
	.name = "named_threads",
	.summary = "threads with names and functions of their own",
	.numbers = { WORKLOAD_COUNT("threads", 1, THREADS_MAX), WORKLOAD_COUNT("loops", 1, 1e15) },
	.run = named_threads,
};
