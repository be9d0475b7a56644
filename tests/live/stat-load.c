/* SPDX-License-Identifier: MIT */
/*
 * Work of a known amount, for stat.sh and bench/:
 *
 *   stat-load spin MS            uses the CPU for so long
 *   stat-load getppid N          N system calls
 *   stat-load threads N FIFO     waits for FIFO to be written to, then N threads touch 100, 200,
 * ... pages each
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 64

static pthread_barrier_t all_ready;

static void spin(long ms)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
}

static void call(long n)
{
	while (n-- > 0)
		syscall(SYS_getppid);
}

static void touch(size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *m = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);

	madvise(m, pages * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		((volatile char *)m)[i * page] = 1;
}

static void *work(void *arg)
{
	size_t number = (size_t)(uintptr_t)arg;
	char name[16];

	snprintf(name, sizeof(name), "worker%zu", number);
	pthread_setname_np(pthread_self(), name);
	pthread_barrier_wait(&all_ready); /* named */
	pthread_barrier_wait(&all_ready); /* go */
	touch(number * 100);
	return NULL;
}

static int start_threads(size_t n, const char *fifo)
{
	pthread_t threads[THREADS_MAX];
	char byte;

	if (n > THREADS_MAX)
		return 2;
	pthread_barrier_init(&all_ready, NULL, (unsigned)n + 1);
	for (size_t i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)(i + 1));
	pthread_barrier_wait(&all_ready);

	int fd = open(fifo, O_RDONLY);

	if (fd < 0 || read(fd, &byte, 1) < 0)
		return 1;
	pthread_barrier_wait(&all_ready);
	for (size_t i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "spin"))
		spin(atol(argv[2]));
	else if (argc == 3 && !strcmp(argv[1], "getppid"))
		call(atol(argv[2]));
	else if (argc == 4 && !strcmp(argv[1], "threads"))
		return start_threads((size_t)atol(argv[2]), argv[3]);
	else
		return 2;
	return 0;
}
