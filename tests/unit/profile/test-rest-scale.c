/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/rest-scale.h"

static void most_rows_tell_what_did_not_change(void **state)
{
	_cleanup_(rest_scale_done) struct rest_scale s = { 0 };
	double scale = 0;

	(void)state;
	rest_scale_add(&s, 30, 20, 100, 100);
	rest_scale_add(&s, 30, 20, 100, 100);
	assert_false(rest_scale_find(&s, &scale));
	rest_scale_add(&s, 40, 60, 100, 100);
	assert_true(rest_scale_find(&s, &scale));
	assert_true(scale > 0.66 && scale < 0.67);
}

static void small_and_new_rows_do_not_count(void **state)
{
	_cleanup_(rest_scale_done) struct rest_scale s = { 0 };
	double scale;

	(void)state;
	rest_scale_add(&s, 0.1, 0.2, 100, 100);
	rest_scale_add(&s, 0, 10, 100, 100);
	rest_scale_add(&s, 10, 0, 100, 100);
	assert_false(rest_scale_find(&s, &scale));
	assert_int_equal(s.n, 0);
}

/* Returns 1 if a row counts, with totals of 100 and 1000. */
static size_t counts(double before, double after)
{
	_cleanup_(rest_scale_done) struct rest_scale s = { 0 };

	rest_scale_add(&s, before, after, 100, 1000);
	return s.n;
}

static void half_a_percent_of_either_profile_is_enough(void **state)
{
	(void)state;
	assert_int_equal(counts(0.5, 4), 1);
	assert_int_equal(counts(0.4, 5), 1);
	assert_int_equal(counts(0.4, 500), 1);
	assert_int_equal(counts(50, 4), 1);
	assert_int_equal(counts(0.4, 4), 0);
	assert_int_equal(counts(-1, 500), 0);
	assert_int_equal(counts(50, -1), 0);
}

/* Returns the median of rows that are 1 in the first profile. */
static double median(const double *after, size_t n)
{
	_cleanup_(rest_scale_done) struct rest_scale s = { 0 };
	double scale = -1;

	for (size_t i = 0; i < n; i++)
		rest_scale_add(&s, 1, after[i], 1, 1);
	assert_int_equal(s.n, n);
	assert_int_equal(rest_scale_find(&s, &scale), n >= 3);
	rest_scale_done(&s);
	assert_int_equal(s.n, 0);
	assert_null(s.items);
	return scale;
}

static void the_median_is_in_the_middle(void **state)
{
	static const double after[] = { 8, 1, 64, 2, 32, 16 };

	(void)state;
	assert_true(median(after, 2) == -1);
	assert_true(median(after, 3) == 8);
	assert_true(median(after, 4) == 5);
	assert_true(median(after, 5) == 8);
	assert_true(median(after, 6) == 12);
}

static void a_ratio_is_what_became_of_the_row(void **state)
{
	_cleanup_(rest_scale_done) struct rest_scale s = { 0 };

	(void)state;
	rest_scale_add(&s, 40, 10, 100, 100);
	assert_true(s.items[0] == 0.25);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(most_rows_tell_what_did_not_change),
		cmocka_unit_test(small_and_new_rows_do_not_count),
		cmocka_unit_test(half_a_percent_of_either_profile_is_enough),
		cmocka_unit_test(the_median_is_in_the_middle),
		cmocka_unit_test(a_ratio_is_what_became_of_the_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
