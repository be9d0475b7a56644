/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "job/time-window.h"

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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_are_of_times_or_of_parts),
		cmocka_unit_test(the_place_of_a_mistake_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
