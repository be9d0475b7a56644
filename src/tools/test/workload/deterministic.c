/* SPDX-License-Identifier: MIT */
/* The same instructions in each run. Scripts look for the lines 9 to 11, 16 to 18 and 24 to 32. */
#include "tools/test/workload/workload.h"

static volatile unsigned long sum;

WORKLOAD_AS_WRITTEN static void first(void)
{
	sum += 1;
	sum += 2;
	sum += 3;
}

WORKLOAD_AS_WRITTEN static void second(void)
{
	sum += 4;
	sum += 5;
	sum += 6;
}

/* Calls both functions once. */
WORKLOAD_AS_WRITTEN static int deterministic(const double *numbers __attribute__((unused)))
{
	sum = 1;
	sum += 7;
	sum += 8;

	first();

	sum += 9;
	sum += 10;
	sum += 11;

	second();

	return 0;
}

const struct test_workload test_workload_deterministic = {
	.name = "deterministic",
	.summary = "a few lines, the same in each run",
	.run = deterministic,
};
