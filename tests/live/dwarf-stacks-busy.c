/* SPDX-License-Identifier: MIT */
/*
 * Small functions that call one another for a moment: most samples are near the place where a frame
 * is set up or taken down. dwarf-stacks.sh knows the caller of each function.
 */
#include <string.h>

#define NOINLINE __attribute__((noinline))

static volatile long sink;

static NOINLINE long leaf(long x)
{
	return x * 3 + sink;
}

static NOINLINE long inner(long x)
{
	long a = leaf(x), b = leaf(a + 1);

	sink = a;
	return a ^ b;
}

static NOINLINE long middle(long x, long y, long z)
{
	volatile char buffer[64];
	long sum = 0;

	buffer[x & 63] = (char)x;
	for (int i = 0; i < 2; i++)
		sum += inner(x + i) * y + z;
	return sum + buffer[x & 63];
}

static NOINLINE long outer(long x)
{
	volatile long values[300];
	long sum;

	values[x & 255] = x;
	sum = middle(x, 1, 2) + values[x & 255];
	return sum + inner(sum);
}

int main(void)
{
	long sum = 0;

	for (long i = 0; i < 3000000; i++)
		sum += outer(i);
	return sum == 42;
}
