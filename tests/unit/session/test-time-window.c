/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "session/time-window.h"

static void spans_are_of_times_or_of_parts(void **state)
{
	_cleanup_(time_window_done) struct time_window times = { 0 }, parts = { 0 };
	size_t offset;

	(void)state;
	assert_int_equal(time_window_parse("1.5,2 3,", &times, &offset), 0);
	assert_int_equal(times.n, 2);
	assert_false(times.relative);
	assert_int_equal(times.items[0].from_ns, 1500000000);
	assert_int_equal(times.items[1].to_ns, TIME_OPEN);
	assert_int_equal(time_window_parse("10%/2,50%-60%", &parts, &offset), 0);
	assert_int_equal(parts.n, 2);
	assert_true(parts.relative);
	assert_true(parts.items[0].from_percent == 10 && parts.items[0].to_percent == 20);
}

static void the_place_of_a_mistake_is_told(void **state)
{
	struct time_window w = { 0 };
	size_t offset = 0;

	(void)state;
	assert_int_equal(time_window_parse("1,2 x", &w, &offset), -EINVAL);
	assert_int_equal(offset, 4);
	assert_int_equal(w.n, 0);
}

static void a_blank_may_stand_before_the_end(void **state)
{
	_cleanup_(time_window_done) struct time_window one = { 0 }, two = { 0 };
	size_t offset = 0;

	(void)state;
	assert_int_equal(time_window_parse("1, 2", &one, &offset), 0);
	assert_int_equal(one.n, 1);
	assert_int_equal(one.items[0].to_ns, 2000000000);
	assert_int_equal(time_window_parse("1, 2,3", &two, &offset), 0);
	assert_int_equal(two.n, 2);
	assert_int_equal(two.items[0].to_ns, TIME_OPEN);
}

static void what_no_clock_shows_lies_before_sums_without_a_time(void **state)
{
	_cleanup_(time_window_done) struct time_window w = { 0 };
	size_t offset = 0;

	(void)state;
	assert_int_equal(time_window_parse("0,18446744069414584", &w, &offset), 0);
	assert_true(w.items[0].to_ns == 0xffffffff00000000 - 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_are_of_times_or_of_parts),
		cmocka_unit_test(the_place_of_a_mistake_is_told),
		cmocka_unit_test(a_blank_may_stand_before_the_end),
		cmocka_unit_test(what_no_clock_shows_lies_before_sums_without_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
