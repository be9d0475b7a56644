/* SPDX-License-Identifier: MIT */
/*
 * Sleeps, waits for a lock, writes to a disk and runs, and prints for each function how many
 * nanoseconds that took by its own clock; then the CPU time and the lifetime of the main thread.
 * Functions that wait call the kernel directly, so that each is in the stack of its wait.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "with-frames.h"

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

static int lock; /* 0: free, 1: taken, 2: and somebody may wait */
static int64_t lock_ns;

OWN_FRAME int64_t take_nap(void)
{
	const struct timespec length = { 0, 200000000 };
	int64_t begin = now();

	system_call(SYS_nanosleep, (long)&length, 0, 0, 0);
	return now() - begin;
}

OWN_FRAME void hold_lock(pthread_t *other, void *(*run)(void *))
{
	__atomic_store_n(&lock, 1, __ATOMIC_RELEASE);
	pthread_create(other, NULL, run, NULL);
	usleep(300000);
	if (__atomic_exchange_n(&lock, 0, __ATOMIC_ACQ_REL) == 2)
		system_call(SYS_futex, (long)&lock, FUTEX_WAKE_PRIVATE, 1, 0);
}

OWN_FRAME void wait_for_lock(void)
{
	int64_t begin = now();

	while (__atomic_exchange_n(&lock, 2, __ATOMIC_ACQ_REL))
		system_call(SYS_futex, (long)&lock, FUTEX_WAIT_PRIVATE, 2, 0);
	lock_ns = now() - begin;
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

		system_call(SYS_fsync, fd, 0, 0, 0);
		ns += now() - begin;
	}
	close(fd);
	return ns;
}

OWN_FRAME int64_t spin(void)
{
	int64_t begin = now(), cpu = clock_of(CLOCK_THREAD_CPUTIME_ID);
	volatile unsigned long sum = 0;

	while (clock_of(CLOCK_THREAD_CPUTIME_ID) - cpu < 200000000)
		for (unsigned long i = 0; i < 20000; i++)
			sum += i;
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
