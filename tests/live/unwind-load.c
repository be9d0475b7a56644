/* SPDX-License-Identifier: MIT */
/*
 * A program whose stacks are known. `faults` waits for a byte, then touches new pages at each depth
 * of a recursion. `deep N SECONDS` computes and `wait N SECONDS` sleeps again and again, below N
 * calls that take more than 1 KiB of stack each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGES 64

static volatile unsigned char sink;

__attribute__((noinline)) static void touch(unsigned char *page)
{
	*page = 1;
	sink = *page;
}

__attribute__((noinline)) static unsigned descend(unsigned char *pages, unsigned depth)
{
	volatile unsigned char frame[256];

	memset((void *)frame, (int)depth, sizeof(frame));
	if (depth == PAGES)
		return 0;
	touch(pages + depth * (size_t)sysconf(_SC_PAGESIZE));
	return descend(pages, depth + 1) + frame[depth];
}

__attribute__((noinline)) static unsigned compute(double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	unsigned x = 1;

	while (clock() < end)
		for (unsigned i = 0; i < 100000; i++)
			x = x * 1664525 + 1013904223;
	return x;
}

__attribute__((noinline)) static unsigned doze(double seconds)
{
	for (double slept = 0; slept < seconds; slept += 0.005)
		usleep(5000);
	return 0;
}

__attribute__((noinline)) static unsigned dive(unsigned depth, unsigned (*then)(double),
					       double seconds)
{
	volatile unsigned char frame[1024];

	memset((void *)frame, (int)depth, sizeof(frame));
	return (depth ? dive(depth - 1, then, seconds) : then(seconds)) + frame[depth % 1024];
}

int main(int argc, char **argv)
{
	if (argc > 3)
		return (int)(dive((unsigned)atoi(argv[2]), strcmp(argv[1], "deep") ? doze : compute,
				  atof(argv[3])) &
			     1);

	size_t size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				    -1, 0);
	char byte;

	if (pages == MAP_FAILED || read(0, &byte, 1) < 0)
		return 1;
	return (int)(descend(pages, 0) & 1);
}
