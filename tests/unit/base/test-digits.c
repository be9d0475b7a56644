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

/* What was written up to @end is what printf says. */
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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(decimals_are_those_of_printf),
		cmocka_unit_test(signs_take_a_column),
		cmocka_unit_test(hexadecimals_are_those_of_printf),
		cmocka_unit_test(hundredths_are_rounded_as_printf_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
