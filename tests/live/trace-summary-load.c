/* SPDX-License-Identifier: MIT */
/*
 * System calls whose numbers are known, for trace-summary.sh:
 *
 *	threads	5 threads, each with 20000 getppid, 100 nanosleep, 300 close that fail (EBADF)
 *	forks	200 processes, several at a time, each with 100 getppid
 *	busy	calls until it is ended
 */
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void call_many(int n)
{
	for (int i = 0; i < n; i++)
		syscall(SYS_getppid);
}

static void *run_thread(void *arg)
{
	call_many(20000);
	for (int i = 0; i < 100; i++)
		syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 10000 }, NULL);
	for (int i = 0; i < 300; i++)
		close(-1);
	return arg;
}

static void run_threads(void)
{
	pthread_t threads[5];

	for (int i = 0; i < 5; i++)
		pthread_create(&threads[i], NULL, run_thread, NULL);
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
}

static void run_forks(void)
{
	for (int i = 0; i < 200; i++) {
		if (fork() == 0) {
			call_many(100);
			_exit(0);
		}
		if (i % 8 == 7)
			while (wait(NULL) > 0)
				;
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "threads"))
		run_threads();
	else if (!strcmp(what, "forks"))
		run_forks();
	while (!strcmp(what, "busy"))
		call_many(1000);
	return 0;
}
