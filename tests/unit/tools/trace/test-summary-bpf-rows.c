/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/trace/summary-bpf.h"

static const uint8_t abis[2] = { SYSCALL_ABI_X86_64, SYSCALL_ABI_I386 };

static bool is_close(double a, double b)
{
	return a > b * (1 - 1e-9) && a < b * (1 + 1e-9);
}

static void counts_become_figures(void **state)
{
	struct trace_summary_row row = { .calls = 3,
					 .errors = 1,
					 .unseen = 1,
					 .total_ns = 600,
					 .max_ns = 300,
					 .max_inverse = ~100ULL,
					 .squares = 100 * 100 + 200 * 200 + 300 * 300,
					 .buckets = { [6] = 1, [7] = 1, [8] = 1 } };
	struct bpf_trace_summary_row r;

	(void)state;
	r = trace_summary_row_figures(5 | TRACE_SUMMARY_COMPAT, &row, abis);
	assert_int_equal(r.abi, SYSCALL_ABI_I386);
	assert_int_equal(r.nr, 5);
	assert_int_equal(r.events, 5);
	assert_int_equal(r.calls, 3);
	assert_int_equal(r.errors, 1);
	assert_int_equal(r.min_ns, 100);
	assert_int_equal(r.max_ns, 300);
	assert_true(is_close(r.mean_ns, 200));
	assert_true(is_close(r.m2, 20000));
	assert_int_equal(r.buckets[7], 1);
}

static void calls_that_never_ended_are_events_only(void **state)
{
	struct trace_summary_row row = { .calls = 2 };
	struct bpf_trace_summary_row r;

	(void)state;
	r = trace_summary_row_figures(TRACE_SUMMARY_NO_CALL, &row, abis);
	assert_int_equal(r.events, 2);
	assert_int_equal(r.calls, 0);
	assert_int_equal(r.nr, -1);
}

static void squares_carry_into_the_next_word(void **state)
{
	/* Eight calls of 2^31.5 ns: squares of 2^63 each. */
	struct trace_summary_row row = { .calls = 8, .total_ns = 8 * 3037000500, .carries = 4 };
	double mean, m2;

	(void)state;
	row.squares = 4 * (3037000500ULL * 3037000500ULL - (1ULL << 63)) * 2;
	trace_summary_row_moments(&row, &mean, &m2);
	assert_true(is_close(mean, 3037000500));
	assert_true(m2 < 1e6); /* of 7e19 */
}

static void long_calls_have_squares_of_their_own(void **state)
{
	/* One call took an hour, and one took two. */
	uint64_t hour = 3600000000000;
	struct trace_summary_row row = { .calls = 2,
					 .total_ns = 3 * hour,
					 .large_squares = (hour >> 16) * (hour >> 16) +
							  (hour >> 15) * (hour >> 15) };
	double mean, m2, wanted = (double)hour * (double)hour / 2;

	(void)state;
	trace_summary_row_moments(&row, &mean, &m2);
	assert_true(is_close(mean, 1.5 * (double)hour));
	assert_true(m2 > wanted * 0.9999 && m2 < wanted * 1.0001);
}

static void an_empty_row_has_no_moments(void **state)
{
	double mean, m2;

	(void)state;
	trace_summary_row_moments(&(struct trace_summary_row){ 0 }, &mean, &m2);
	assert_true(mean == 0 && m2 == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_become_figures),
		cmocka_unit_test(calls_that_never_ended_are_events_only),
		cmocka_unit_test(squares_carry_into_the_next_word),
		cmocka_unit_test(long_calls_have_squares_of_their_own),
		cmocka_unit_test(an_empty_row_has_no_moments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
