/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bytes-of.h"
#include "wire/record.h"

static void aux_data_has_a_place_in_its_buffer(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_AUX, 0, "qqq",
								1UL, 2UL, 4UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.aux.offset, 1);
		assert_int_equal(r.aux.size, 2);
		assert_int_equal(r.aux.flags, 4);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void a_trace_starts_for_a_task(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_ITRACE_START, 0,
								"ww", 1, 2);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.itrace_start.pid, 1);
		assert_int_equal(r.itrace_start.tid, 2);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void a_hardware_id_is_a_word(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_AUX_OUTPUT_HW_ID,
								0, "q", 5UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.hw_id, 5);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void trace_information_has_words_of_its_own(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_AUXTRACE_INFO, 0,
								"wwqq", 4, 0, 7UL, 8UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.auxtrace_info.type, 4);
		assert_int_equal(r.auxtrace_info.priv.n, 2);
		assert_int_equal(words_get(&r.auxtrace_info.priv, 1), 8);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 16, NULL);
	}
}

static void a_trace_follows_its_record(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			swap, PERF_RECORD_AUXTRACE, 0, "qqqwwww", 1UL, 2UL, 3UL, 4, 5, 6, 0);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.auxtrace.size, 1);
		assert_int_equal(r.auxtrace.offset, 2);
		assert_int_equal(r.auxtrace.reference, 3);
		assert_int_equal(r.auxtrace.idx, 4);
		assert_int_equal(r.auxtrace.tid, 5);
		assert_int_equal(r.auxtrace.cpu, 6);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void an_error_has_a_time_and_a_guest_by_its_format(void **state)
{
	(void)state;
	struct bytes forms[] = {
		bytes_of(false, PERF_RECORD_AUXTRACE_ERROR, 0, "wwwwwwqsqqqqqqq", 1, 2, 3, 4, 5, 0,
			 6UL, "lost", 0UL, 0UL, 0UL, 0UL, 0UL, 0UL, 0UL),
		bytes_of(false, PERF_RECORD_AUXTRACE_ERROR, 0, "wwwwwwqqsqqqqqqq", 1, 2, 3, 4, 5, 1,
			 6UL, 7UL, "lost", 0UL, 0UL, 0UL, 0UL, 0UL, 0UL, 0UL),
		bytes_of(false, PERF_RECORD_AUXTRACE_ERROR, 0, "wwwwwwqqsqqqqqqqww", 1, 2, 3, 4, 5,
			 2, 6UL, 7UL, "lost", 0UL, 0UL, 0UL, 0UL, 0UL, 0UL, 0UL, 8, 9),
	};

	for (size_t fmt = 0; fmt < ARRAY_SIZE(forms); fmt++) {
		struct record r = decoded(&forms[fmt], false, NULL);

		assert_int_equal(r.auxtrace_error.cpu, 3);
		assert_int_equal(r.auxtrace_error.ip, 6);
		assert_int_equal(r.auxtrace_error.time, fmt ? 7 : 0);
		assert_string_equal(r.auxtrace_error.msg, "lost");
		assert_int_equal(r.auxtrace_error.machine_pid, fmt == 2 ? 8 : 0);
		assert_int_equal(r.auxtrace_error.vcpu, fmt == 2 ? 9 : 0);
		assert_encodes_to(&r, NULL, &forms[fmt]);
		bytes_done(&forms[fmt]);
	}
}

static void an_error_may_leave_out_what_its_text_does_not_need(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = bytes_of(
		false, PERF_RECORD_AUXTRACE_ERROR, 0, "wwwwwwqqs", 1, 2, 3, 4, 5, 1, 6UL, 7UL, "x");
	struct record r = decoded(&b, false, NULL);

	assert_string_equal(r.auxtrace_error.msg, "x");
	assert_cut_is_refused(&b, b.n - 6, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aux_data_has_a_place_in_its_buffer),
		cmocka_unit_test(a_trace_starts_for_a_task),
		cmocka_unit_test(a_hardware_id_is_a_word),
		cmocka_unit_test(trace_information_has_words_of_its_own),
		cmocka_unit_test(a_trace_follows_its_record),
		cmocka_unit_test(an_error_has_a_time_and_a_guest_by_its_format),
		cmocka_unit_test(an_error_may_leave_out_what_its_text_does_not_need),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
