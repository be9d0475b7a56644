/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bytes-of.h"
#include "wire/record.h"

static void an_attr_comes_with_its_ids(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_HEADER_ATTR, 0,
								"wwqqqqqwwqqq", 1, 64, 7UL, 0UL,
								0UL, 0UL, 0UL, 0, 0, 0UL, 5UL, 6UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.attr.attr.type, 1);
		assert_int_equal(r.attr.attr.config, 7);
		assert_int_equal(r.attr.ids.n, 2);
		assert_int_equal(words_get(&r.attr.ids, 1), 6);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 8 + 64, NULL);
	}
}

static void an_attr_is_written_as_large_as_it_needs(void **state)
{
	(void)state;
	struct record r = { .header.type = PERF_RECORD_HEADER_ATTR, .attr.attr.config2 = 1 };
	_cleanup_(bytes_done) struct bytes out = { 0 };

	assert_int_equal(record_encode(&r, NULL, &out), 0);
	assert_int_equal(out.n, 8 + 72);
	assert_int_equal(decoded(&out, false, NULL).attr.attr.size, 72);
}

static void tracing_data_announces_what_follows_in_12_bytes_or_16(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes brief =
			bytes_of(swap, PERF_RECORD_HEADER_TRACING_DATA, 0, "w", 4096);
		_cleanup_(bytes_done) struct bytes padded =
			bytes_of(swap, PERF_RECORD_HEADER_TRACING_DATA, 0, "ww", 4096, 0);
		struct record r = decoded(&brief, swap, NULL);

		assert_int_equal(r.tracing_data.size, 4096);
		if (!swap)
			assert_encodes_to(&r, NULL, &padded);
		if (!swap)
			assert_cut_is_refused(&brief, 12, NULL);
	}
}

static void a_build_id_has_20_bytes_unless_it_says_otherwise(void **state)
{
	(void)state;
	for (unsigned sized = 0; sized < 2; sized++) {
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			false, PERF_RECORD_HEADER_BUILD_ID,
			PERF_RECORD_MISC_USER | (sized ? PERF_RECORD_MISC_BUILD_ID_SIZE : 0),
			"wqqwbbbbs", -1, 1UL, 2UL, 3, 16, 0, 0, 0, "/bin/true");
		struct record r = decoded(&b, false, NULL);

		assert_int_equal(r.build_id.pid, -1);
		assert_int_equal(r.build_id.build_id.size, sized ? 16 : 20);
		assert_int_equal(r.build_id.build_id.bytes[16], 3);
		assert_string_equal(r.build_id.filename, "/bin/true");
		if (sized)
			assert_encodes_to(&r, NULL, &b);
		assert_cut_is_refused(&b, 8 + 28 + 10, NULL);
	}
}

static void a_build_id_that_says_to_have_more_than_20_bytes_is_refused(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_HEADER_BUILD_ID,
							PERF_RECORD_MISC_BUILD_ID_SIZE, "wqqwbbbbs",
							-1, 1UL, 2UL, 3, 21, 0, 0, 0, "x");
	struct record r;

	assert_int_equal(record_decode(b.data, b.n, false, NULL, &r), -EBADMSG);
}

static void compressed_data_knows_its_length_in_the_second_form(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_COMPRESSED2, 0, "qq",
							3UL, 0x030201UL);
	struct record r = decoded(&b, false, NULL);

	assert_int_equal(r.compressed.size, 3);
	assert_int_equal(r.compressed.data[2], 3);
	assert_encodes_to(&r, NULL, &b);
	assert_cut_is_refused(&b, 8 + 8 + 3, NULL);
}

static void an_old_event_type_is_a_number_and_a_name(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_HEADER_EVENT_TYPE,
								0, "qsqqqqqqq", 3UL, "cycles", 0UL,
								0UL, 0UL, 0UL, 0UL, 0UL, 0UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.event_type.event_id, 3);
		assert_string_equal(r.event_type.name, "cycles");
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 8 + 8 + 7, NULL);
	}
}

static void a_feature_is_a_number_and_bytes(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_HEADER_FEATURE, 0,
								"qbbb", 3UL, 1, 2, 3);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.feature.id, 3);
		assert_int_equal(r.feature.size, 3);
		assert_int_equal(r.feature.payload[2], 3);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 16, NULL);
	}
}

static void compressed_data_fills_the_record(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_COMPRESSED, 0,
								"bbb", 1, 2, 3);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.compressed.size, 3);
		assert_int_equal(r.compressed.data[2], 3);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_attr_comes_with_its_ids),
		cmocka_unit_test(an_attr_is_written_as_large_as_it_needs),
		cmocka_unit_test(tracing_data_announces_what_follows_in_12_bytes_or_16),
		cmocka_unit_test(a_build_id_has_20_bytes_unless_it_says_otherwise),
		cmocka_unit_test(a_build_id_that_says_to_have_more_than_20_bytes_is_refused),
		cmocka_unit_test(compressed_data_knows_its_length_in_the_second_form),
		cmocka_unit_test(an_old_event_type_is_a_number_and_a_name),
		cmocka_unit_test(a_feature_is_a_number_and_bytes),
		cmocka_unit_test(compressed_data_fills_the_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
