/* SPDX-License-Identifier: MIT */
/*
 * Waits for locks and measures the waits.
 *
 *	lock-user-load WAYS
 *
 * `m`: four threads take hot_lock ten times each and keep it for 4 ms; `p`: the same with pi_lock,
 * which has priority inheritance; `c`: a thread waits for a condition for 100 ms; `k`: four threads
 * wait for a mutex of the kernel. Prints for each user lock how often threads found it taken and
 * how long they waited by their own clock: "hot_lock 36 480000000".
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4
#define TURNS   10
#define HOLD_US 4000

static pthread_mutex_t hot_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t pi_lock;
static pthread_mutex_t cond_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t something_happened = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t start;
static uint64_t waits, waited_ns; /* protected by the lock under test */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

__attribute__((noinline)) static void take_turn(pthread_mutex_t *lock)
{
	uint64_t begin = now_ns();
	int taken = pthread_mutex_trylock(lock);

	if (taken == EBUSY)
		pthread_mutex_lock(lock);
	waits += taken == EBUSY;
	waited_ns += taken == EBUSY ? now_ns() - begin : 0;
	usleep(HOLD_US);
	pthread_mutex_unlock(lock);
}

static void *take_turns(void *lock)
{
	pthread_barrier_wait(&start);
	for (int i = 0; i < TURNS; i++)
		take_turn(lock);
	return NULL;
}

static void run(const char *name, pthread_mutex_t *lock)
{
	pthread_t threads[THREADS];

	waits = waited_ns = 0;
	pthread_barrier_init(&start, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take_turns, lock);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%s %llu %llu\n", name, (unsigned long long)waits, (unsigned long long)waited_ns);
}

static void *wait_for_it(void *arg)
{
	pthread_mutex_lock(&cond_lock);
	pthread_cond_wait(&something_happened, &cond_lock);
	pthread_mutex_unlock(&cond_lock);
	return arg;
}

static void wait_for_condition(void)
{
	pthread_t waiter;

	pthread_create(&waiter, NULL, wait_for_it, NULL);
	usleep(100000);
	pthread_mutex_lock(&cond_lock);
	pthread_cond_signal(&something_happened);
	pthread_mutex_unlock(&cond_lock);
	pthread_join(waiter, NULL);
}

/* A pipe has a mutex that a writer of a large piece holds while it copies. */
static int ends[2];

static void *fill(void *arg)
{
	static char bytes[32768];

	for (int i = 0; i < 2000; i++)
		if (write(ends[1], bytes, sizeof(bytes)) < 0)
			break;
	return arg;
}

static void *drain(void *arg)
{
	static char bytes[65536];

	while (read(ends[0], bytes, sizeof(bytes)) > 0)
		;
	return arg;
}

static void contend_in_kernel(void)
{
	pthread_t threads[THREADS], reader;

	if (pipe(ends) < 0)
		return;
	pthread_create(&reader, NULL, drain, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, fill, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	close(ends[1]);
	pthread_join(reader, NULL);
}

int main(int argc, char **argv)
{
	const char *ways = argc > 1 ? argv[1] : "m";
	pthread_mutexattr_t inherits;

	pthread_mutexattr_init(&inherits);
	pthread_mutexattr_setprotocol(&inherits, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&pi_lock, &inherits);
	if (strchr(ways, 'm'))
		run("hot_lock", &hot_lock);
	if (strchr(ways, 'p'))
		run("pi_lock", &pi_lock);
	if (strchr(ways, 'c'))
		wait_for_condition();
	if (strchr(ways, 'k'))
		contend_in_kernel();
	return 0;
}
