/* SPDX-License-Identifier: MIT */
/* Deep recursion, callbacks out of libc and signal handlers, without frame pointers. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static volatile long result;

__attribute__((noinline)) static long leaf(long n)
{
	long sum = 0;

	for (long i = 0; i < 3000; i++)
		sum += i * n;
	return sum;
}

__attribute__((noinline)) static long recurse(int depth, const char *above)
{
	char own[40];

	memset(own, depth, sizeof(own));
	own[0] = (char)(own[0] + above[0]);
	result += depth ? recurse(depth - 1, own) : leaf(own[3]);
	return own[5];
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void handle(int signal)
{
	result += leaf(signal);
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	const struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };
	int numbers[256];
	clock_t end;

	signal(SIGPROF, handle);
	setitimer(ITIMER_PROF, &timer, NULL);
	end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	while (clock() < end) {
		for (int i = 0; i < 256; i++)
			numbers[i] = rand();
		qsort(numbers, 256, sizeof(numbers[0]), compare);
		result += recurse(130, "x");
	}
	printf("%d\n", result != 0);
	return 0;
}
