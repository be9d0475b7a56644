/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "tools/sched/task-times-model.h"

static void few_values_have_exact_quantiles(void **state)
{
	_cleanup_(spread_done) struct spread s = { 0 };

	(void)state;
	assert_int_equal(spread_quantile(&s, 0.5), 0);
	for (uint64_t i = 1; i <= 4; i++)
		spread_add(&s, 1001 * (5 - i));
	assert_int_equal(spread_quantile(&s, 0), 1001);
	assert_int_equal(spread_quantile(&s, 0.5), 2002);
	assert_int_equal(spread_quantile(&s, 0.9), 4004);
	assert_int_equal(spread_quantile(&s, 1), 4004);
	assert_int_equal(s.sum_ns, 10010);
	assert_null(s.buckets);
}

static void many_values_are_off_by_a_sixteenth_at_most(void **state)
{
	_cleanup_(spread_done) struct spread s = { 0 };

	(void)state;
	for (uint64_t i = 1; i <= 100000; i++)
		spread_add(&s, 7 * i);
	for (double share = 0.01; share < 1; share += 0.01) {
		double exact = 700000 * share, got = (double)spread_quantile(&s, share);

		assert_true(got >= exact - 7 && got <= exact * 17 / 16);
	}
	assert_int_equal(spread_quantile(&s, 1), 700000);
	assert_int_equal(spread_count(&s, 0, UINT64_C(1) << 40), 100000);
	assert_int_equal(spread_count(&s, 1024, 2048), 292 - 146);
}

static void every_number_has_a_bucket(void **state)
{
	(void)state;
	assert_int_equal(spread_bucket(0), 0);
	assert_int_equal(spread_bucket(UINT64_MAX), SPREAD_BUCKETS - 1);
	for (size_t i = 0; i < SPREAD_BUCKETS; i++) {
		assert_int_equal(spread_bucket(spread_bucket_first(i)), i);
		if (i)
			assert_int_equal(spread_bucket(spread_bucket_first(i) - 1), i - 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_values_have_exact_quantiles),
		cmocka_unit_test(many_values_are_off_by_a_sixteenth_at_most),
		cmocka_unit_test(every_number_has_a_bucket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
