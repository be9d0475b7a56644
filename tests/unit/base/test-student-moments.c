/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/cleanup.h"
#include "base/student.h"

static struct moments moments_of(const double *x, size_t n)
{
	struct moments m = { 0 };

	for (size_t i = 0; i < n; i++)
		moments_add(&m, x[i]);
	return m;
}

static void mean_and_spread_are_those_of_the_textbook(void **state)
{
	(void)state;
	const double x[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct moments m = moments_of(x, ARRAY_SIZE(x));

	assert_float_equal(m.n, 8, 0);
	assert_float_equal(m.mean, 5, 1e-12);
	assert_float_equal(moments_variance(&m), 32.0 / 7, 1e-12);
	assert_float_equal(moments_error(&m), sqrt(32.0 / 7 / 8), 1e-12);
	assert_float_equal(moments_noise(&m), 100 * sqrt(32.0 / 7 / 8) / 5, 1e-12);
}

static void nothing_and_a_single_number_have_no_spread(void **state)
{
	(void)state;
	struct moments m = { 0 };

	assert_float_equal(moments_variance(&m), 0, 0);
	assert_float_equal(moments_error(&m), 0, 0);
	assert_float_equal(moments_noise(&m), 0, 0);
	moments_add(&m, 42);
	assert_float_equal(m.mean, 42, 0);
	assert_float_equal(moments_variance(&m), 0, 0);
	assert_float_equal(moments_noise(&m), 0, 0);
}

/* Sums of squares would lose all digits here. */
static void large_numbers_close_together_keep_their_spread(void **state)
{
	(void)state;
	const double x[] = { 1e15 + 1, 1e15 + 2, 1e15 + 3 };
	struct moments m = moments_of(x, ARRAY_SIZE(x));

	/* cmocka compares floats, which are not precise enough for this. */
	assert_true(m.mean == 1e15 + 2);
	assert_float_equal(moments_variance(&m), 1, 1e-9);
}

static void noise_about_zero_is_none(void **state)
{
	(void)state;
	const double x[] = { -1, 1 };
	struct moments m = moments_of(x, ARRAY_SIZE(x));

	assert_float_equal(moments_variance(&m), 2, 1e-12);
	assert_float_equal(moments_noise(&m), 0, 0);
}

static void noise_of_a_negative_mean_is_positive(void **state)
{
	(void)state;
	const double x[] = { -9, -11 };
	struct moments m = moments_of(x, ARRAY_SIZE(x));

	assert_float_equal(moments_noise(&m), 10, 1e-12);
}

static void merged_moments_are_those_of_all_numbers(void **state)
{
	(void)state;
	const double x[] = { 1, 4, 9, 16, 25 };
	struct moments all = moments_of(x, 5), m = moments_of(x, 2), rest = moments_of(x + 2, 3),
		       none = { 0 };

	moments_merge(&m, &rest);
	moments_merge(&m, &none);
	assert_float_equal(m.n, 5, 0);
	assert_float_equal(m.mean, all.mean, 1e-12);
	assert_float_equal(m.m2, all.m2, 1e-9);
	moments_merge(&none, &rest);
	assert_memory_equal(&none, &rest, sizeof(rest));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_and_spread_are_those_of_the_textbook),
		cmocka_unit_test(nothing_and_a_single_number_have_no_spread),
		cmocka_unit_test(large_numbers_close_together_keep_their_spread),
		cmocka_unit_test(noise_about_zero_is_none),
		cmocka_unit_test(noise_of_a_negative_mean_is_positive),
		cmocka_unit_test(merged_moments_are_those_of_all_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
