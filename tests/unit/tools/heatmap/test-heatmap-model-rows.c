/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/heatmap/heatmap-model.h"

static void steps_keep_three_digits(void **state)
{
	(void)state;
	assert_int_equal(heat_step(0), 0);
	assert_int_equal(heat_step(999), 999);
	assert_int_equal(heat_step_value(heat_step(999)), 999);
	assert_int_equal(heat_step_value(heat_step(1000)), 1000);
	assert_int_equal(heat_step_value(heat_step(1009)), 1000);
	assert_int_equal(heat_step_value(heat_step(123456)), 123000);
	assert_true(heat_step_value(heat_step(UINT64_MAX)) == 18400000000000000000u);
}

static void steps_are_ordered_as_values_are(void **state)
{
	uint64_t before = 0;

	(void)state;
	for (uint64_t v = 1; v < UINT64_MAX / 2; v += v / 97 + 1) {
		assert_true(heat_step(v) >= heat_step(before));
		assert_true(heat_step_value(heat_step(v)) <= v);
		before = v;
	}
}

/* Checks that rows are whole steps: otherwise two rows would share a count. */
static void are_whole_steps(const struct heat_rows *r)
{
	for (size_t i = 0; i <= r->n; i++)
		if (r->bounds[i] < UINT64_MAX)
			assert_true(heat_step_value(heat_step(r->bounds[i])) == r->bounds[i]);
}

static void linear_rows_are_round_and_cover_the_values(void **state)
{
	struct heat_rows r = heat_rows_linear(49999, 50);

	(void)state;
	assert_int_equal(r.n, 50);
	assert_int_equal(r.bounds[1], 1000);
	assert_int_equal(r.bounds[50], 50000);
	heat_rows_done(&r);
	r = heat_rows_linear(50000, 50);
	assert_int_equal(r.n, 26);
	assert_int_equal(r.bounds[1], 2000);
	heat_rows_done(&r);
	r = heat_rows_linear(0, 50);
	assert_int_equal(r.n, 1);
	assert_int_equal(r.bounds[1], 1);
	heat_rows_done(&r);
	for (uint64_t high = 1; high < UINT64_MAX / 3; high *= 3)
		for (size_t rows = 1; rows <= HEAT_ROWS_MAX; rows += 33) {
			r = heat_rows_linear(high, rows);
			assert_true(r.n <= rows);
			assert_true(r.bounds[r.n] > high);
			are_whole_steps(&r);
			heat_rows_done(&r);
		}
	r = heat_rows_linear(UINT64_MAX, 50);
	assert_true(r.n <= 50);
	assert_true(r.bounds[r.n] == UINT64_MAX);
	heat_rows_done(&r);
}

static void logarithmic_rows_cover_the_values(void **state)
{
	struct heat_rows r;

	(void)state;
	for (uint64_t low = 0; low < 5000; low = low * 3 + 1)
		for (uint64_t high = low; high < UINT64_MAX / 7; high = high * 7 + 1)
			for (size_t rows = 4; rows <= HEAT_ROWS_MAX; rows += 49) {
				r = heat_rows_log(low, high, rows);
				assert_true(r.n >= 1 && r.n <= rows);
				assert_true(r.bounds[0] <= low);
				assert_true(r.bounds[r.n] > high);
				for (size_t i = 0; i < r.n; i++)
					assert_true(r.bounds[i] < r.bounds[i + 1]);
				are_whole_steps(&r);
				heat_rows_done(&r);
			}
	r = heat_rows_log(0, UINT64_MAX, 50);
	assert_true(r.bounds[r.n] == UINT64_MAX);
	heat_rows_done(&r);
}

static void logarithmic_rows_begin_near_the_smallest_value(void **state)
{
	struct heat_rows r = heat_rows_log(1300, 90000, 20);

	(void)state;
	assert_int_equal(r.bounds[0], 1250);
	assert_int_equal(r.bounds[1], 1600);
	assert_int_equal(r.bounds[r.n], 100000);
	heat_rows_done(&r);
}

static void zero_has_a_row_of_its_own(void **state)
{
	struct heat_rows r = heat_rows_log(0, 1000, 20);

	(void)state;
	assert_int_equal(r.bounds[0], 0);
	assert_int_equal(r.bounds[1], 1);
	heat_rows_done(&r);
}

static void a_bound_belongs_to_the_row_above_it(void **state)
{
	struct heat_rows r = heat_rows_linear(99, 10);

	(void)state;
	assert_int_equal(heat_rows_find(&r, 0), 0);
	assert_int_equal(heat_rows_find(&r, 9), 0);
	assert_int_equal(heat_rows_find(&r, 10), 1);
	assert_int_equal(heat_rows_find(&r, 100), 9); /* but not the last */
	heat_rows_done(&r);
}

static void round_numbers_begin_with_1_2_or_5(void **state)
{
	(void)state;
	assert_int_equal(heat_round_up(0), 1);
	assert_int_equal(heat_round_up(3), 5);
	assert_int_equal(heat_round_up(5), 5);
	assert_int_equal(heat_round_up(51), 100);
	assert_true(heat_round_up(UINT64_MAX) == 10000000000000000000u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_keep_three_digits),
		cmocka_unit_test(steps_are_ordered_as_values_are),
		cmocka_unit_test(linear_rows_are_round_and_cover_the_values),
		cmocka_unit_test(logarithmic_rows_cover_the_values),
		cmocka_unit_test(logarithmic_rows_begin_near_the_smallest_value),
		cmocka_unit_test(zero_has_a_row_of_its_own),
		cmocka_unit_test(a_bound_belongs_to_the_row_above_it),
		cmocka_unit_test(round_numbers_begin_with_1_2_or_5),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
