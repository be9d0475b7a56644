/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "arch/operand.h"

static bool reads(const char *s, int64_t *ret)
{
	return operand_number(s, s + strcspn(s, "("), ret);
}

static void a_number_ends_where_it_has_to(void **state)
{
	int64_t n;

	(void)state;
	assert_true(reads("-0x10(", &n));
	assert_int_equal(n, -16);
	assert_true(reads("+8", &n));
	assert_int_equal(n, 8);
	assert_false(reads("8x", &n));
}

static void nothing_is_no_number(void **state)
{
	int64_t n;

	(void)state;
	assert_false(reads("", &n));
	assert_false(reads("(", &n));
	assert_false(reads(" 8", &n));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_ends_where_it_has_to),
		cmocka_unit_test(nothing_is_no_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
