/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bytes-of.h"
#include "wire/record.h"

static void a_configuration_is_pairs_of_tag_and_value(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_STAT_CONFIG, 0,
								"qqqqq", 2UL, 0UL, 1UL, 1UL, 500UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.stat_config.entries.n, 4);
		assert_int_equal(words_get(&r.stat_config.entries, 3), 500);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void a_count_has_a_cpu_and_a_thread(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_STAT, 0, "qwwqqq",
								1UL, 2, 3, 4UL, 5UL, 6UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.stat.id, 1);
		assert_int_equal(r.stat.cpu, 2);
		assert_int_equal(r.stat.thread, 3);
		assert_int_equal(r.stat.value, 4);
		assert_int_equal(r.stat.enabled, 5);
		assert_int_equal(r.stat.running, 6);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void a_round_has_a_kind_and_a_time(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_STAT_ROUND, 0,
								"qq", 1UL, 2UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.stat_round.type, 1);
		assert_int_equal(r.stat_round.time, 2);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void a_clock_may_be_told_briefly(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_TIME_CONV, 0,
								"qqq", 1UL, 2UL, 3UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.time_conv.time_zero, 3);
		assert_false(r.time_conv.is_long);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void a_clock_may_be_told_with_its_mask(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_TIME_CONV, 0,
								"qqqqqbbhw", 1UL, 2UL, 3UL, 4UL,
								5UL, 1, 1, 0, 0);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.time_conv.time_shift, 1);
		assert_int_equal(r.time_conv.time_mult, 2);
		assert_int_equal(r.time_conv.time_cycles, 4);
		assert_int_equal(r.time_conv.time_mask, 5);
		assert_int_equal(r.time_conv.cap_user_time_short, 1);
		assert_true(r.time_conv.is_long);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 32, NULL);
	}
}

static void more_tags_than_there_are_is_refused(void **state)
{
	(void)state;
	static const uint64_t counts[] = { 2, 0x8000000000000000, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_STAT_CONFIG, 0,
								"qqq", counts[i], 1UL, 2UL);
		struct record r;

		assert_int_equal(record_decode(b.data, b.n, false, NULL, &r), -EBADMSG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_configuration_is_pairs_of_tag_and_value),
		cmocka_unit_test(a_count_has_a_cpu_and_a_thread),
		cmocka_unit_test(a_round_has_a_kind_and_a_time),
		cmocka_unit_test(a_clock_may_be_told_briefly),
		cmocka_unit_test(a_clock_may_be_told_with_its_mask),
		cmocka_unit_test(more_tags_than_there_are_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
