/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "profile/parallelism.h"
#include "profile/row-sums.h"
#include "session/session.h"
#include "wire/record.h"

static void take(struct parallelism *p, uint32_t type, uint16_t misc)
{
	const struct delivered d = { .raw.header = { .type = type, .misc = misc } };

	parallelism_take(p, &d);
}

static void one_thread_runs_at_the_beginning(void **state)
{
	struct parallelism p = { .running = 1, .most = 8 };

	(void)state;
	assert_int_equal(parallelism_now(&p), 1);
	take(&p, PERF_RECORD_SWITCH, 0);
	take(&p, PERF_RECORD_SWITCH_CPU_WIDE, 0);
	assert_int_equal(parallelism_now(&p), 3);
	take(&p, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT);
	assert_int_equal(parallelism_now(&p), 2);
	take(&p, PERF_RECORD_EXIT, 0);
	assert_int_equal(parallelism_now(&p), 1);
}

static void the_answer_is_between_one_and_the_cpus(void **state)
{
	struct parallelism p = { .running = 1, .most = 2 };

	(void)state;
	for (int i = 0; i < 5; i++)
		take(&p, PERF_RECORD_SWITCH, 0);
	assert_int_equal(parallelism_now(&p), 2);
	for (int i = 0; i < 9; i++)
		take(&p, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT);
	assert_int_equal(parallelism_now(&p), 1);
	/* Threads that were subtracted too often are missing later. */
	take(&p, PERF_RECORD_SWITCH, 0);
	assert_int_equal(parallelism_now(&p), 1);
}

static void a_latency_is_rounded_for_each_sample(void **state)
{
	(void)state;
	assert_int_equal(latency_of((struct weight){ .period = 3, .samples = 3 }, 3), 3 * 341);
	assert_int_equal(latency_of((struct weight){ .period = 10, .samples = 1 }, 2), 5120);
	assert_int_equal(latency_of((struct weight){ .period = 10, .samples = 0 }, 2), 0);
	assert_int_equal(latency_of((struct weight){ .period = 10, .samples = 1 }, 0), 0);
	assert_int_equal(latency_of((struct weight){ .period = 7, .samples = 2 }, 2), 3584);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_runs_at_the_beginning),
		cmocka_unit_test(the_answer_is_between_one_and_the_cpus),
		cmocka_unit_test(a_latency_is_rounded_for_each_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
