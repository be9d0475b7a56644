/* SPDX-License-Identifier: MIT */
/*
 * The load that tests/live/sched.sh records. `spin MS` uses MS milliseconds of CPU time; `sleep MS
 * TIMES` sleeps TIMES times; `pong N` plays ping-pong with a child on one CPU: each of them waits N
 * times for the other.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void spin(uint64_t ms)
{
	while (cpu_ns() < ms * 1000000)
		;
}

static void nap(long ms, long times)
{
	const struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	for (long i = 0; i < times; i++)
		nanosleep(&t, NULL);
}

static int play(int from, int to, long n, int begins)
{
	char c = 'x';

	if (begins && write(to, &c, 1) != 1)
		return 1;
	for (long i = 0; i < n; i++)
		if (read(from, &c, 1) != 1 || (write(to, &c, 1) != 1 && i + 1 < n))
			return 1;
	return 0;
}

static int pong(long n)
{
	int there[2], back[2], status;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof(one), &one) < 0 || pipe(there) < 0 || pipe(back) < 0)
		return 1;
	if (!fork()) {
		prctl(PR_SET_NAME, "ponger");
		return play(there[0], back[1], n, 0);
	}
	prctl(PR_SET_NAME, "pinger");
	return play(back[0], there[1], n, 1) || wait(&status) < 0 || status;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "spin")) {
		prctl(PR_SET_NAME, "spinner");
		spin(strtoull(argv[2], NULL, 10));
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "sleep")) {
		prctl(PR_SET_NAME, "sleeper");
		nap(atol(argv[2]), atol(argv[3]));
		return 0;
	}
	return argc == 3 && !strcmp(argv[1], "pong") ? pong(atol(argv[2])) : 2;
}
