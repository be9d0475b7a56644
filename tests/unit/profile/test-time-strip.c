/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "profile/time-strip.h"

static uint64_t whole(const struct time_strip *s)
{
	return time_strip_weight(s, 0, UINT64_MAX);
}

static void nothing_weighs_nothing(void **state)
{
	struct time_strip s = { 0 }, other = { 0 };

	(void)state;
	time_strip_add(&s, 0, 7);
	time_strip_merge(&s, &other);
	assert_int_equal(s.width, 0);
	assert_int_equal(whole(&s), 0);
}

static void the_first_time_is_a_bin_of_a_nanosecond(void **state)
{
	struct time_strip s = { 0 };

	(void)state;
	time_strip_add(&s, 1000, 3);
	assert_int_equal(s.start, 1000);
	assert_int_equal(s.width, 1);
	assert_int_equal(s.bins[0], 3);
	assert_int_equal(s.first, 1000);
	assert_int_equal(s.last, 1000);
}

static void bins_double_when_a_time_does_not_fit(void **state)
{
	struct time_strip s = { 0 };

	(void)state;
	time_strip_add(&s, 1025, 1);
	time_strip_add(&s, 1025 + 1023, 2);
	assert_int_equal(s.width, 1);
	time_strip_add(&s, 1025 + 1024, 4);
	assert_int_equal(s.width, 2);
	assert_int_equal(s.start, 1024);
	assert_int_equal(s.bins[0], 1);
	assert_int_equal(s.bins[512], 6);
	assert_int_equal(whole(&s), 7);
}

/* Returns a pseudo-random number, the same in every run. */
static uint64_t some(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

static void the_order_of_times_does_not_matter(void **state)
{
	static uint64_t times[5000];
	struct time_strip forward = { 0 }, backward = { 0 };
	uint64_t seed = 1;

	(void)state;
	for (size_t i = 0; i < 5000; i++)
		times[i] = 1000000007 + some(&seed) % 777777777;
	for (size_t i = 0; i < 5000; i++) {
		time_strip_add(&forward, times[i], i);
		time_strip_add(&backward, times[4999 - i], 4999 - i);
	}
	assert_memory_equal(&forward, &backward, sizeof(forward));
	assert_int_equal(whole(&forward), 4999 * 5000 / 2);
}

static void strips_of_different_widths_are_added(void **state)
{
	struct time_strip all = { 0 }, narrow = { 0 }, wide = { 0 }, other = { 0 };
	uint64_t seed = 2;

	(void)state;
	for (size_t i = 0; i < 3000; i++) {
		const uint64_t t = i % 2 ? 50001 + some(&seed) % 500 : 10003 + some(&seed) % 90000;

		time_strip_add(i % 2 ? &narrow : &wide, t, 1);
		time_strip_add(&all, t, 1);
	}
	assert_true(narrow.width < wide.width);
	other = narrow;
	time_strip_merge(&other, &wide);
	assert_memory_equal(&other, &all, sizeof(all));
	time_strip_merge(&wide, &narrow);
	assert_memory_equal(&wide, &all, sizeof(all));
}

static void a_strip_can_be_added_to_nothing(void **state)
{
	struct time_strip s = { 0 }, sum = { 0 };

	(void)state;
	time_strip_add(&s, 77777, 1);
	time_strip_add(&s, 999999, 2);
	time_strip_merge(&sum, &s);
	assert_memory_equal(&sum, &s, sizeof(s));
}

static void the_last_time_that_there_is_has_a_bin(void **state)
{
	struct time_strip s = { 0 }, other = { 0 };

	(void)state;
	time_strip_add(&s, UINT64_MAX, 5);
	assert_int_equal(s.width, 1);
	assert_int_equal(whole(&s), 5);
	time_strip_add(&s, UINT64_MAX - 3000, 1);
	time_strip_add(&other, 1, 2);
	time_strip_merge(&s, &other);
	assert_int_equal(s.start, 0);
	assert_int_equal(s.width, (uint64_t)1 << 54);
	assert_int_equal(s.bins[0], 2);
	assert_int_equal(s.bins[1023], 6);
	assert_int_equal(whole(&s), 8);
}

static void sums_end_at_the_largest_number(void **state)
{
	struct time_strip s = { 0 };

	(void)state;
	time_strip_add(&s, 10, UINT64_MAX);
	time_strip_add(&s, 10, UINT64_MAX);
	time_strip_add(&s, 11, 1);
	assert_int_equal(s.bins[0], UINT64_MAX);
	assert_int_equal(whole(&s), UINT64_MAX);
}

static void ranges_side_by_side_have_each_bin_once(void **state)
{
	struct time_strip s = { 0 };
	uint64_t seed = 3, sum = 0;

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		time_strip_add(&s, 5000 + some(&seed) % 100000, 1);
	for (uint64_t t = s.start; t <= s.last; t += 777)
		sum += time_strip_weight(&s, t, t + 777);
	assert_int_equal(sum, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_weighs_nothing),
		cmocka_unit_test(the_first_time_is_a_bin_of_a_nanosecond),
		cmocka_unit_test(bins_double_when_a_time_does_not_fit),
		cmocka_unit_test(the_order_of_times_does_not_matter),
		cmocka_unit_test(strips_of_different_widths_are_added),
		cmocka_unit_test(a_strip_can_be_added_to_nothing),
		cmocka_unit_test(the_last_time_that_there_is_has_a_bin),
		cmocka_unit_test(sums_end_at_the_largest_number),
		cmocka_unit_test(ranges_side_by_side_have_each_bin_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
