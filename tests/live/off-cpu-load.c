/* SPDX-License-Identifier: MIT */
/*
 * Sleeps, waits for a lock, writes to a disk and runs, and prints for each function how many
 * nanoseconds that took by its own clock; then the CPU time of the main thread and how long it
 * lived.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define OWN_FRAME __attribute__((noinline, noclone))

static int64_t clock_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int64_t now(void)
{
	return clock_of(CLOCK_MONOTONIC);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t lock_ns;

OWN_FRAME int64_t take_nap(void)
{
	int64_t begin = now();

	usleep(200000);
	return now() - begin;
}

OWN_FRAME void hold_lock(pthread_t *other, void *(*run)(void *))
{
	pthread_mutex_lock(&lock);
	pthread_create(other, NULL, run, NULL);
	usleep(300000);
	pthread_mutex_unlock(&lock);
}

OWN_FRAME void wait_for_lock(void)
{
	int64_t begin = now();

	pthread_mutex_lock(&lock);
	lock_ns = now() - begin;
	pthread_mutex_unlock(&lock);
}

static void *run_other(void *arg)
{
	wait_for_lock();
	return arg;
}

OWN_FRAME int64_t store(void)
{
	static char bytes[1 << 16];
	int64_t ns = 0;
	int fd = open("stored", O_CREAT | O_WRONLY | O_TRUNC, 0600);

	for (int i = 0; i < 8 && write(fd, bytes, sizeof(bytes)) > 0; i++) {
		int64_t begin = now();

		fsync(fd);
		ns += now() - begin;
	}
	close(fd);
	return ns;
}

OWN_FRAME int64_t spin(void)
{
	int64_t begin = now(), cpu = clock_of(CLOCK_THREAD_CPUTIME_ID);

	while (clock_of(CLOCK_THREAD_CPUTIME_ID) - cpu < 200000000)
		;
	return now() - begin;
}

int main(void)
{
	int64_t begin = now(), nap, disk, busy;
	pthread_t other;

	nap = take_nap();
	hold_lock(&other, run_other);
	pthread_join(other, NULL);
	disk = store();
	busy = spin();
	printf("take_nap %lld\nwait_for_lock %lld\nstore %lld\nspin %lld\n", (long long)nap,
	       (long long)lock_ns, (long long)disk, (long long)busy);
	printf("cpu %lld\nlife %lld\n", (long long)clock_of(CLOCK_THREAD_CPUTIME_ID),
	       (long long)(now() - begin));
}
