/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bytes-of.h"
#include "wire/record.h"

static void lost_records_belong_to_an_event(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_LOST, 0, "qq",
								1UL, 2UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.lost.id, 1);
		assert_int_equal(r.lost.lost, 2);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void lost_samples_are_a_number(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_LOST_SAMPLES, 0,
								"q", 2UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.lost.id, 0);
		assert_int_equal(r.lost.lost, 2);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void throttling_has_a_time_and_two_ids(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_UNTHROTTLE, 0,
								"qqq", 1UL, 2UL, 3UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.throttle.time, 1);
		assert_int_equal(r.throttle.id, 2);
		assert_int_equal(r.throttle.stream_id, 3);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void a_lone_count_has_its_times_between_value_and_id(void **state)
{
	(void)state;
	static const struct attr attr = {
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			       PERF_FORMAT_ID | PERF_FORMAT_LOST,
	};

	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			swap, PERF_RECORD_READ, 0, "wwqqqqq", 1, 2, 3UL, 4UL, 5UL, 6UL, 7UL);
		struct record r = decoded(&b, swap, &attr);
		struct read_value v = record_read_value(&r.read, 0);

		assert_int_equal(r.read.pid, 1);
		assert_int_equal(r.read.tid, 2);
		assert_int_equal(r.read.n, 1);
		assert_int_equal(v.value, 3);
		assert_int_equal(r.read.enabled, 4);
		assert_int_equal(r.read.running, 5);
		assert_int_equal(v.id, 6);
		assert_int_equal(v.lost, 7);
		if (!swap)
			assert_encodes_to(&r, &attr, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, &attr);
	}
}

static void a_group_shares_its_times(void **state)
{
	(void)state;
	static const struct attr attr = {
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID,
	};

	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			swap, PERF_RECORD_READ, 0, "wwqqqqqq", 1, 2, 2UL, 9UL, 3UL, 4UL, 5UL, 6UL);
		struct record r = decoded(&b, swap, &attr);

		assert_int_equal(r.read.n, 2);
		assert_int_equal(r.read.enabled, 0);
		assert_int_equal(r.read.running, 9);
		assert_int_equal(record_read_value(&r.read, 0).value, 3);
		assert_int_equal(record_read_value(&r.read, 1).value, 5);
		assert_int_equal(record_read_value(&r.read, 1).id, 6);
		assert_int_equal(record_read_value(&r.read, 1).lost, 0);
		if (!swap)
			assert_encodes_to(&r, &attr, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, &attr);
	}
}

static void a_group_larger_than_the_record_is_refused(void **state)
{
	(void)state;
	static const struct attr attr = { .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID };
	static const uint64_t counts[] = { 2, 0x8000000000000000, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_READ, 0, "wwqqq",
								1, 2, counts[i], 3UL, 4UL);
		struct record r;

		assert_int_equal(record_decode(b.data, b.n, false, &attr, &r), -EBADMSG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lost_records_belong_to_an_event),
		cmocka_unit_test(lost_samples_are_a_number),
		cmocka_unit_test(throttling_has_a_time_and_two_ids),
		cmocka_unit_test(a_lone_count_has_its_times_between_value_and_id),
		cmocka_unit_test(a_group_shares_its_times),
		cmocka_unit_test(a_group_larger_than_the_record_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
