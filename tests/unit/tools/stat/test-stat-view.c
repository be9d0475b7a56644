/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdio.h>

#include "tools/stat/stat-view.h"

static void an_interval_that_is_the_summary_is_none(void **state)
{
	(void)state;
	assert_true(stat_is_interval(&(struct stat_table){ .interval = true }));
	assert_false(stat_is_interval(&(struct stat_table){ .interval = true, .summary = true }));
	assert_false(stat_is_interval(&(struct stat_table){ .runs = 1 }));
}

static void times_are_exact_to_the_nanosecond(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	stat_add_time(&t, UINT64_C(12595678901), 6);
	stat_add_time(&t, UINT64_MAX, 0);
	assert_string_equal(t.chars, "    12.59567890118446744073.709551615");
	text_done(&t);
}

/* perf 6.1 divides integers in CSV and JSON: 83.00. */
static void the_share_that_ran_keeps_its_decimals(void **state)
{
	const struct stat_row partly = { .running = 834300, .enabled = 1000000 }, never = { 0 };

	(void)state;
	assert_true(stat_percent_running(&partly) > 83.42999 &&
		    stat_percent_running(&partly) < 83.43001);
	assert_true(stat_percent_running(&never) == 100);
}

static void only_what_was_counted_can_be_hidden(void **state)
{
	const struct stat_style hides = { .hide_zeros = true }, shows = { 0 };
	const struct stat_row zero = { .state = STAT_COUNTED },
			      one = { .state = STAT_COUNTED, .count = 1 },
			      unknown = { .state = STAT_NOT_COUNTED };

	(void)state;
	assert_true(stat_row_is_hidden(&hides, &zero));
	assert_false(stat_row_is_hidden(&hides, &one));
	assert_false(stat_row_is_hidden(&hides, &unknown));
	assert_false(stat_row_is_hidden(&shows, &zero));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_that_is_the_summary_is_none),
		cmocka_unit_test(times_are_exact_to_the_nanosecond),
		cmocka_unit_test(the_share_that_ran_keeps_its_decimals),
		cmocka_unit_test(only_what_was_counted_can_be_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
