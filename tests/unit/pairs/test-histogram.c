/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "pairs/histogram.h"

static void expect_bounds(const struct histogram_scale *s, const int64_t *bounds, size_t n)
{
	struct histogram h;
	struct diag diag = { 0 };

	assert_int_equal(histogram_init(&h, s, &diag), 0);
	assert_int_equal(h.n_bounds, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(h.bounds[i], bounds[i]);
	assert_int_equal(histogram_total(&h), 0);
	histogram_done(&h);
}

static void powers_of_four_up_to_a_million_are_the_default(void **state)
{
	static const int64_t bounds[] = { 0,    1,    4,     16,    64,     256,
					  1024, 4096, 16384, 65536, 262144, 1048576 };

	(void)state;
	expect_bounds(&(struct histogram_scale){ 0 }, bounds, 12);
}

static void bounds_end_with_the_first_that_is_not_below_the_maximum(void **state)
{
	static const int64_t twos[] = { 0, 1, 2, 4, 8, 16 };
	static const int64_t steps[] = { 0, 100, 200, 300 };

	(void)state;
	expect_bounds(&(struct histogram_scale){ .power = 2, .max = 9 }, twos, 6);
	expect_bounds(&(struct histogram_scale){ .power = 2, .max = 16 }, twos, 6);
	expect_bounds(&(struct histogram_scale){ .kind = HISTOGRAM_STEPS, .step = 100, .max = 201 },
		      steps, 4);
}

static void bounds_do_not_overflow(void **state)
{
	struct histogram h;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(histogram_init(&h,
					&(struct histogram_scale){ .power = 3, .max = INT64_MAX },
					&diag),
			 0);
	assert_int_equal(h.bounds[h.n_bounds - 1], INT64_MAX);
	histogram_done(&h);
	assert_int_equal(histogram_init(&h,
					&(struct histogram_scale){ .kind = HISTOGRAM_STEPS,
								   .step = INT64_MAX },
					&diag),
			 0);
	assert_int_equal(h.n_bounds, 2);
	histogram_done(&h);
}

static void too_many_rows_are_refused(void **state)
{
	struct histogram h;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(histogram_init(&h,
					&(struct histogram_scale){
						.kind = HISTOGRAM_STEPS, .step = 1, .max = 100000 },
					&diag),
			 -EINVAL);
	assert_non_null(strstr(diag.message, "1001"));
	diag_done(&diag);
}

static void every_number_has_a_row(void **state)
{
	struct histogram h;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(histogram_init(&h, &(struct histogram_scale){ .max = 16 }, &diag), 0);
	assert_int_equal(histogram_row(&h, INT64_MIN), 0);
	assert_int_equal(histogram_row(&h, -1), 0);
	assert_int_equal(histogram_row(&h, 0), 1);
	assert_int_equal(histogram_row(&h, 1), 2);
	assert_int_equal(histogram_row(&h, 3), 2);
	assert_int_equal(histogram_row(&h, 4), 3);
	assert_int_equal(histogram_row(&h, 15), 3);
	assert_int_equal(histogram_row(&h, 16), 4);
	assert_int_equal(histogram_row(&h, INT64_MAX), 4);
	histogram_done(&h);
}

static void a_range_has_the_bounds_that_there_are(void **state)
{
	struct histogram h;
	struct histogram_range range;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(histogram_init(&h, &(struct histogram_scale){ .max = 4 }, &diag), 0);
	range = histogram_range(&h, 0);
	assert_true(!range.has_first && range.has_last && range.last == -1);
	range = histogram_range(&h, 1);
	assert_true(range.has_first && range.first == 0 && range.has_last && range.last == 0);
	range = histogram_range(&h, 3);
	assert_true(range.has_first && range.first == 4 && !range.has_last);
	assert_int_equal(histogram_first_row(&h), 0);
	h.is_time = true;
	assert_int_equal(histogram_first_row(&h), 1);
	histogram_done(&h);
}

static void counts_are_summed_up(void **state)
{
	struct histogram h;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(histogram_init(&h, &(struct histogram_scale){ .max = 4 }, &diag), 0);
	h.counts[0] = 3;
	h.counts[2] = 5;
	assert_int_equal(histogram_total(&h), 8);
	assert_int_equal(histogram_most(&h), 5);
	histogram_done(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_of_four_up_to_a_million_are_the_default),
		cmocka_unit_test(bounds_end_with_the_first_that_is_not_below_the_maximum),
		cmocka_unit_test(bounds_do_not_overflow),
		cmocka_unit_test(too_many_rows_are_refused),
		cmocka_unit_test(every_number_has_a_row),
		cmocka_unit_test(a_range_has_the_bounds_that_there_are),
		cmocka_unit_test(counts_are_summed_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
