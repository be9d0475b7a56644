/* SPDX-License-Identifier: MIT */
/* Spends its time in a C library without CFI. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static int hot(int n)
{
	char text[256], copy[256];
	int values[200];

	for (int i = 0; i < 200; i++)
		values[i] = (i * 7919 + n) % 1000;
	qsort(values, 200, sizeof(values[0]), compare);
	snprintf(text, sizeof(text), "%d %f %s", n, n * 1.5, "abc");
	memcpy(copy, text, sizeof(copy));
	return (int)strlen(copy) + values[3];
}

__attribute__((noinline)) static int caller(int n)
{
	return hot(n) + 1;
}

int main(void)
{
	int sum = 0;

	for (clock_t end = clock() + CLOCKS_PER_SEC / 2; clock() < end;)
		for (int i = 0; i < 100; i++)
			sum += caller(i);
	printf("%d\n", sum);
	return 0;
}
