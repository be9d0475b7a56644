/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/thread.h"
#include "tools/test/workload/workload.h"

static volatile unsigned long rounds;

/* Not static, so that it can be found by its name. */
__attribute__((noinline)) void test_loop(void);
__attribute__((noinline)) void test_loop(void)
{
	while (!test_workload_is_over)
		rounds++;
}

/* Scripts look for this caller of the loop in all threads except the first. */
__attribute__((noinline)) void *thfunc(void *arg);
__attribute__((noinline)) void *thfunc(void *arg)
{
	test_loop();
	rounds++;
	return arg;
}

/* Runs threads in the same loop; the first is this one. */
static int thloop(const double *numbers)
{
	size_t n = (size_t)numbers[1] - 1, begun = 0;
	pthread_t *others = xcalloc(n + 1, sizeof(others[0]));
	int r = test_workload_set_end(numbers[0]);

	for (; r >= 0 && begun < n; begun++) {
		r = thread_start(&others[begun], thfunc, NULL);
		if (r < 0)
			break;
	}
	if (r < 0)
		test_workload_is_over = 1;
	test_loop();
	for (size_t i = 0; i < begun; i++)
		pthread_join(others[i], NULL);
	free(others);
	return r;
}

const struct test_workload test_workload_thloop = {
	.name = "thloop",
	.summary = "the same loop in two or more threads",
	.numbers = { WORKLOAD_SECONDS, WORKLOAD_COUNT("threads", 2, 1024) },
	.run = thloop,
};
