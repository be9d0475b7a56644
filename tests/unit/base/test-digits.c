/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"

static const uint64_t numbers[] = {
	0,         1,    9,     10,     99,         100,        101,
	999,       1000, 65535, 123456, 4294967295, 4294967296, 9999999999999999999ULL,
	UINT64_MAX
};

/* Checks that the text up to @end is the one that printf writes. */
static void check(const char *written, const char *end, const char *wanted)
{
	assert_int_equal(end - written, strlen(wanted));
	assert_memory_equal(written, wanted, strlen(wanted));
}

static void decimals_are_those_of_printf(void **state)
{
	char at[64], wanted[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		snprintf(wanted, sizeof(wanted), "%" PRIu64, numbers[i]);
		check(at, digits_decimal(at, numbers[i]), wanted);
		snprintf(wanted, sizeof(wanted), "%10" PRIu64, numbers[i]);
		check(at, digits_decimal_right(at, numbers[i], 10, ' '), wanted);
		snprintf(wanted, sizeof(wanted), "%06" PRIu64, numbers[i]);
		check(at, digits_decimal_right(at, numbers[i], 6, '0'), wanted);
	}
}

static void signs_take_a_column(void **state)
{
	static const int64_t signeds[] = { 0, 5, -1, -12345, INT64_MAX, INT64_MIN };
	char at[64], wanted[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(signeds); i++) {
		snprintf(wanted, sizeof(wanted), "%" PRId64, signeds[i]);
		check(at, digits_signed(at, signeds[i]), wanted);
		snprintf(wanted, sizeof(wanted), "%5" PRId64, signeds[i]);
		check(at, digits_signed_right(at, signeds[i], 5), wanted);
	}
}

static void hexadecimals_are_those_of_printf(void **state)
{
	char at[64], wanted[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		snprintf(wanted, sizeof(wanted), "%" PRIx64, numbers[i]);
		check(at, digits_hex(at, numbers[i]), wanted);
		snprintf(wanted, sizeof(wanted), "%16" PRIx64, numbers[i]);
		check(at, digits_hex_right(at, numbers[i], 16, ' '), wanted);
	}
}

/*
 * Checks one number. It is called for numbers around all powers of two and ten. At most DIGITS_MAX
 * characters are written.
 */
static void every_length_is_right(uint64_t v)
{
	char at[DIGITS_MAX + 1], wanted[64];

	at[DIGITS_MAX] = '!';
	snprintf(wanted, sizeof(wanted), "%" PRIu64, v);
	check(at, digits_decimal(at, v), wanted);
	snprintf(wanted, sizeof(wanted), "%" PRId64, (int64_t)v);
	check(at, digits_signed(at, (int64_t)v), wanted);
	snprintf(wanted, sizeof(wanted), "%12" PRIu64, v);
	check(at, digits_decimal_right(at, v, 12, ' '), wanted);
	snprintf(wanted, sizeof(wanted), "%" PRIx64, v);
	check(at, digits_hex(at, v), wanted);
	snprintf(wanted, sizeof(wanted), "%020" PRIx64, v);
	check(at, digits_hex_right(at, v, 20, '0'), wanted);
	assert_int_equal(at[DIGITS_MAX], '!');
}

static void numbers_of_every_length_are_right(void **state)
{
	uint64_t ten = 1;

	(void)state;
	for (unsigned bit = 0; bit < 64; bit++)
		for (uint64_t d = 0; d < 3; d++)
			every_length_is_right((UINT64_C(1) << bit) + d - 1);
	for (unsigned i = 0; i < 20; i++, ten *= 10)
		for (uint64_t d = 0; d < 3; d++)
			every_length_is_right(ten + d - 1);
	every_length_is_right(0x0123456789abcdef);
	every_length_is_right(0xfedcba9876543210);
}

static void microseconds_have_six_digits(void **state)
{
	static const uint32_t values[] = { 0, 1, 9, 10, 99, 100, 9999, 10000, 123456, 999999 };
	char at[64], wanted[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		snprintf(wanted, sizeof(wanted), "%06" PRIu32, values[i]);
		check(at, digits_microseconds(at, values[i]), wanted);
	}
}

static void hundredths_are_rounded_as_printf_does(void **state)
{
	char at[64], wanted[64];

	(void)state;
	for (unsigned b = 1; b < 4000; b += 7)
		for (unsigned a = 0; a <= b; a += 1 + b / 40) {
			double v = 100.0 * a / b;

			snprintf(wanted, sizeof(wanted), "%.2f", v);
			check(at, digits_hundredths(at, v), wanted);
		}
	check(at, digits_hundredths(at, 0.125), "0.12");
	check(at, digits_hundredths(at, 0.375), "0.38");
	check(at, digits_hundredths(at, 1.005), "1.00");
	check(at, digits_hundredths(at, 123456789012.5), "123456789012.50");
}

static void short_numbers_have_no_zeros_at_the_end(void **state)
{
	char at[64];

	(void)state;
	check(at, digits_short(at, 12.5, 2), "12.5");
	check(at, digits_short(at, 12, 2), "12");
	check(at, digits_short(at, -3.14159, 3), "-3.142");
	check(at, digits_short(at, 0.05, 2), "0.05");
	check(at, digits_short(at, 0.999, 2), "1");
	check(at, digits_short(at, -0.001, 2), "0");
	check(at, digits_short(at, 7.9, 0), "8");
	check(at, digits_short(at, 0.000001, 9), "0.000001");
	check(at, digits_short(at, 0.0 / 0.0, 2), "0");
	check(at, digits_short(at, -1.0 / 0.0, 6), "-100000000000");
}

static void groups_are_of_three(void **state)
{
	char at[64];

	(void)state;
	check(at, digits_grouped(at, 0), "0");
	check(at, digits_grouped(at, 999), "999");
	check(at, digits_grouped(at, 1000), "1,000");
	check(at, digits_grouped(at, 123456), "123,456");
	check(at, digits_grouped(at, UINT64_MAX), "18,446,744,073,709,551,615");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(decimals_are_those_of_printf),
		cmocka_unit_test(signs_take_a_column),
		cmocka_unit_test(hexadecimals_are_those_of_printf),
		cmocka_unit_test(numbers_of_every_length_are_right),
		cmocka_unit_test(microseconds_have_six_digits),
		cmocka_unit_test(hundredths_are_rounded_as_printf_does),
		cmocka_unit_test(short_numbers_have_no_zeros_at_the_end),
		cmocka_unit_test(groups_are_of_three),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
