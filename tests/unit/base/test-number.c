/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/number.h"

typedef int parse_fn(const char *s, uint64_t *ret);

static void assert_is(parse_fn *parse, const char *s, uint64_t expected)
{
	uint64_t n = ~expected;

	assert_int_equal(parse(s, &n), 0);
	assert_int_equal(n, expected);
}

static void assert_refused(parse_fn *parse, const char *s, int error)
{
	uint64_t n = 77;

	assert_int_equal(parse(s, &n), error);
	assert_int_equal(n, 77);
}

static void numbers_are_decimal_or_hexadecimal(void **state)
{
	(void)state;
	assert_is(number_parse, "0", 0);
	assert_is(number_parse, "4000", 4000);
	assert_is(number_parse, "0x1fF", 0x1ff);
	assert_is(number_parse, "017", 17); /* never octal */
	assert_is(number_parse, "18446744073709551615", UINT64_MAX);
}

static void hexadecimal_needs_no_prefix(void **state)
{
	(void)state;
	assert_is(number_parse_hex, "1a8", 0x1a8);
	assert_is(number_parse_hex, "0x1a8", 0x1a8);
	assert_is(number_parse_hex, "FFFFFFFFFFFFFFFF", UINT64_MAX);
}

static void a_number_is_the_whole_text(void **state)
{
	static const char *const texts[] = { "",  " 1", "1 ",  "+1",   "-1", "1x",
					     "x", "0x", "1.5", "0x-1", "a",  "1,2" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_refused(number_parse, texts[i], -EINVAL);
	assert_refused(number_parse_hex, "", -EINVAL);
	assert_refused(number_parse_hex, "-1", -EINVAL);
	assert_refused(number_parse_hex, "g", -EINVAL);
	assert_refused(number_parse_hex, "0x", -EINVAL);
}

static void a_number_that_does_not_fit_is_refused(void **state)
{
	(void)state;
	assert_refused(number_parse, "18446744073709551616", -ERANGE);
	assert_refused(number_parse_hex, "10000000000000000", -ERANGE);
	assert_refused(number_parse_size, "17179869184G", -ERANGE);
	assert_refused(number_parse_size, "99999999999999999999999999", -ERANGE);
}

static void signed_numbers_reach_both_ends(void **state)
{
	int64_t n = 77;

	(void)state;
	assert_int_equal(number_parse_signed("-9223372036854775808", &n), 0);
	assert_true(n == INT64_MIN);
	assert_int_equal(number_parse_signed("9223372036854775807", &n), 0);
	assert_true(n == INT64_MAX);
	assert_int_equal(number_parse_signed("-0x10", &n), 0);
	assert_int_equal(n, -16);
	assert_int_equal(number_parse_signed("-0", &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(number_parse_signed("9223372036854775808", &n), -ERANGE);
	assert_int_equal(number_parse_signed("-9223372036854775809", &n), -ERANGE);
	assert_int_equal(number_parse_signed("--1", &n), -EINVAL);
	assert_int_equal(number_parse_signed("-", &n), -EINVAL);
	assert_int_equal(n, 0);
}

static void sizes_have_units(void **state)
{
	(void)state;
	assert_is(number_parse_size, "512", 512);
	assert_is(number_parse_size, "512B", 512);
	assert_is(number_parse_size, "16k", 16384);
	assert_is(number_parse_size, "4M", 4 << 20);
	assert_is(number_parse_size, "2G", 2ull << 30);
	assert_refused(number_parse_size, "", -EINVAL);
	assert_refused(number_parse_size, "M", -EINVAL);
	assert_refused(number_parse_size, "1T", -EINVAL);
	assert_refused(number_parse_size, "1MB", -EINVAL);
	assert_refused(number_parse_size, "-1M", -EINVAL);
	assert_refused(number_parse_size, "0x1M", -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_decimal_or_hexadecimal),
		cmocka_unit_test(hexadecimal_needs_no_prefix),
		cmocka_unit_test(a_number_is_the_whole_text),
		cmocka_unit_test(a_number_that_does_not_fit_is_refused),
		cmocka_unit_test(signed_numbers_reach_both_ends),
		cmocka_unit_test(sizes_have_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
