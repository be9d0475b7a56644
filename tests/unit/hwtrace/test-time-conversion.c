/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hwtrace/time-conversion.h"

static void ticks_become_nanoseconds_and_back(void **state)
{
	/* 25 MHz: 40 ns a tick. */
	const struct time_conversion c = { .shift = 8, .mult = 40 << 8, .zero = 1000 };

	(void)state;
	assert_int_equal(time_of_ticks(&c, 10), 1400);
	assert_int_equal(time_of_ticks(&c, 1 << 20), 1000 + 40 * (1 << 20));
	assert_int_equal(ticks_of_time(&c, 1400), 10);
}

static void without_a_conversion_ticks_stay(void **state)
{
	const struct time_conversion c = { 0 };

	(void)state;
	assert_int_equal(time_of_ticks(&c, 123), 123);
	assert_int_equal(ticks_of_time(&c, 123), 123);
}

static void a_shift_from_a_hostile_file_is_bounded(void **state)
{
	const struct time_conversion c = { .shift = 0xffff, .mult = 3 };

	(void)state;
	/* With a shift of 63, the largest one, 2^64 - 1 ticks are once @mult, and a rest. */
	assert_int_equal(time_of_ticks(&c, UINT64_MAX), 3);
	assert_int_equal(ticks_of_time(&c, UINT64_MAX), UINT64_C(1) << 63);
}

static void short_counters_are_extended(void **state)
{
	const struct time_conversion c = {
		.mult = 1, .is_short = true, .cycles = 0x1f0, .mask = 0xff
	};

	(void)state;
	assert_int_equal(time_of_ticks(&c, 0xf5), 0x1f5);
	assert_int_equal(time_of_ticks(&c, 0x05), 0x205);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_become_nanoseconds_and_back),
		cmocka_unit_test(without_a_conversion_ticks_stay),
		cmocka_unit_test(a_shift_from_a_hostile_file_is_bounded),
		cmocka_unit_test(short_counters_are_extended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
