/* SPDX-License-Identifier: MIT */
/*
 * A chain of threads with known times. In each of ROUNDS rounds chain-a sleeps 30 ms, computes for
 * 20 ms and writes to a pipe; chain-b reads it, computes for 15 ms and posts a futex; chain-c waits
 * for that and computes for 5 ms. The times are CPU time, so the load of the machine does not
 * matter. chain-c begins a round by writing to chain-a.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 10

static int to_a[2], to_b[2];
static sem_t to_c;

/* Each read of the clock is an event of the scheduler, so there are few. */
static void compute(int64_t ms)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (volatile int i = 0; i < 20000; i++)
			;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec <
		 ms * 1000000);
}

static void *run_a(void *arg)
{
	const struct timespec sleep = { .tv_nsec = 30000000 };
	char byte;

	(void)arg;
	pthread_setname_np(pthread_self(), "chain-a");
	while (read(to_a[0], &byte, 1) == 1) {
		nanosleep(&sleep, NULL);
		compute(20);
		if (write(to_b[1], &byte, 1) != 1)
			break;
	}
	return NULL;
}

static void *run_b(void *arg)
{
	char byte;

	(void)arg;
	pthread_setname_np(pthread_self(), "chain-b");
	while (read(to_b[0], &byte, 1) == 1) {
		compute(15);
		sem_post(&to_c);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_setname_np(pthread_self(), "chain-c");
	if (pipe(to_a) || pipe(to_b) || sem_init(&to_c, 0, 0) ||
	    pthread_create(&thread, NULL, run_a, NULL) ||
	    pthread_create(&thread, NULL, run_b, NULL))
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		if (write(to_a[1], "", 1) != 1)
			return 1;
		sem_wait(&to_c);
		compute(5);
	}
	return 0;
}
