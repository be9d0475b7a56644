/* SPDX-License-Identifier: MIT */
/* Most of the time goes to mix(), which is inlined: three times, twice of them through twice(). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "with-frames.h"

#define INLINE static inline __attribute__((always_inline))
#define ALONE  __attribute__((noinline))

static volatile uint64_t sink;

INLINE uint64_t mix(uint64_t x)
{
	for (int i = 0; i < 20; i++)
		x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL / 3;
	return x;
}

INLINE uint64_t twice(uint64_t x)
{
	x = mix(x + 1);
	return mix(x ^ 7);
}

/*
 * Each mix() needs the result of the one before. Otherwise a CPU could run two at a time and give
 * the first the time of both.
 */
ALONE uint64_t leaf(uint64_t x)
{
	KEEP_FRAME();
	x = twice(x);
	sink += x;
	return mix(x);
}

INLINE uint64_t wrap(uint64_t x)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < 20; i++)
		sum += leaf(x + i + sum);
	return sum;
}

ALONE uint64_t middle(uint64_t x)
{
	uint64_t sum = wrap(x);

	sink += sum;
	return sum + 1;
}

int main(int argc, char **argv)
{
	uint64_t sum = 0;
	int n = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < n; i++)
		sum += middle((uint64_t)i);
	printf("%lu\n", (unsigned long)sum);
	return 0;
}
