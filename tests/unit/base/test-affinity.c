/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "base/affinity.h"
#include "base/thread.h"

/* Runs in a thread, so that the tests after it may use all CPUs. */
static void *settle_on_one(void *arg)
{
	unsigned cpu = (unsigned)sched_getcpu();
	const struct cpu_list one = { .items = &cpu, .n = 1 };

	*(int *)arg = affinity_set(&one) < 0 ? -1 : (int)affinity_count();
	return NULL;
}

static void a_thread_settles_on_a_cpu(void **state)
{
	pthread_t thread;
	int n = 0;

	(void)state;
	assert_true(affinity_count() >= 1);
	assert_int_equal(thread_start(&thread, settle_on_one, &n), 0);
	pthread_join(thread, NULL);
	assert_int_equal(n, 1);
}

/* The set has space for this CPU, so that nothing is written beyond its end. */
static void the_last_cpu_of_all_is_refused_by_the_kernel(void **state)
{
	unsigned cpu = CPU_MAX - 1;
	const struct cpu_list last = { .items = &cpu, .n = 1 };

	(void)state;
	assert_int_equal(affinity_set(&last), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_settles_on_a_cpu),
		cmocka_unit_test(the_last_cpu_of_all_is_refused_by_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
