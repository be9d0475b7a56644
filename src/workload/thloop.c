/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "workload/workload.h"

static volatile unsigned long rounds;

/* Not static: it is found by its name in whatever the compiler makes of it. */
__attribute__((noinline)) void test_loop(void);
__attribute__((noinline)) void test_loop(void)
{
	while (!test_workload_is_over)
		rounds++;
}

static void *run_thread(void *arg)
{
	test_loop();
	return arg;
}

/* Two threads in the same loop. */
static int thloop(unsigned seconds)
{
	pthread_t other;
	int r = test_workload_set_end(seconds);

	if (r < 0)
		return r;
	r = pthread_create(&other, NULL, run_thread, NULL);
	if (r)
		return -r;
	test_loop();
	pthread_join(other, NULL);
	return 0;
}

const struct test_workload test_workload_thloop = {
	.name = "thloop",
	.summary = "the same loop in two threads",
	.run = thloop,
};
