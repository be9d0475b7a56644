/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "profile/figures.h"

static void the_beginning_of_a_name_will_do(void **state)
{
	(void)state;
	assert_string_equal(figure_find("over", false)->name, "overhead");
	assert_string_equal(figure_find("overhead_", false)->name, "overhead_sys");
	assert_string_equal(figure_find("SAMPLE", false)->name, "sample");
	assert_null(figure_find("samples", false));
	assert_null(figure_find("comm", false));
}

static void breakdowns_are_known_to_reports_of_memory_only(void **state)
{
	(void)state;
	assert_null(figure_find("cache", false));
	assert_int_equal(figure_find("cache", true)->breakdown, MEMORY_BY_CACHE);
	assert_int_equal(figure_find("mem", true)->breakdown, MEMORY_BY_MEMORY);
	assert_int_equal(figure_find("period", true)->breakdown, NO_BREAKDOWN);
}

static void sums_are_taken_from_those_of_the_row(void **state)
{
	static struct row_sums sums = { .weights = { 5, 6, 7 } };
	const struct report_row row = { .sums = &sums };

	(void)state;
	assert_int_equal(figure_value(&figure_get("weight1")->what, &row), 5);
	assert_int_equal(figure_value(&figure_get("weight3")->what, &row), 7);
	assert_int_equal(figure_value(&figure_get("retire_lat")->what, &row), 7);
}

static void each_figure_takes_its_own_part_of_a_row(void **state)
{
	static const struct report_row row = {
		.self = { .period = 10, .samples = 2 },
		.total = { .period = 30, .samples = 6 },
		.self_by_mode = { [MODE_USER] = 7, [MODE_KERNEL] = 3 },
	};

	(void)state;
	assert_int_equal(figure_value(&figure_get("overhead")->what, &row), 10);
	assert_int_equal(figure_value(&figure_get("overhead_children")->what, &row), 30);
	assert_int_equal(figure_value(&figure_get("overhead_sys")->what, &row), 3);
	assert_int_equal(figure_value(&figure_get("overhead_us")->what, &row), 7);
	assert_int_equal(figure_value(&figure_get("overhead_guest_sys")->what, &row), 0);
	assert_int_equal(figure_value(&figure_get("sample")->what, &row), 2);
	assert_int_equal(figure_value(&figure_get("period")->what, &row), 10);
}

static void count_one(void *arg, const struct figure *f)
{
	(void)f;
	++*(size_t *)arg;
}

static void all_can_be_listed(void **state)
{
	size_t n = 0;

	(void)state;
	figures_for_each(count_one, &n);
	assert_int_equal(n, 24);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_beginning_of_a_name_will_do),
		cmocka_unit_test(breakdowns_are_known_to_reports_of_memory_only),
		cmocka_unit_test(sums_are_taken_from_those_of_the_row),
		cmocka_unit_test(each_figure_takes_its_own_part_of_a_row),
		cmocka_unit_test(all_can_be_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
