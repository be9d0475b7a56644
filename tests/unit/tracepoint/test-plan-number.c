/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan-text.h"

static void integers_have_the_size_of_their_conversion(void **state)
{
	(void)state;
	assert_text("`%d|%u|%x|%X|%o|%i`, REC->i, REC->i, REC->i, REC->i, REC->i, REC->i",
		    "-5|4294967291|fffffffb|FFFFFFFB|37777777773|-5");
	assert_text("`%ld|%lu|%lx|%lld|%llu|%Lx`, REC->l, REC->l, REC->l, REC->l, REC->l, REC->l",
		    "-7|18446744073709551609|fffffffffffffff9|-7|18446744073709551609|"
		    "fffffffffffffff9");
	assert_text("`%hd|%hu|%hhd|%hhu|%hhx|%hx`, REC->i, REC->i, REC->i, REC->i, REC->i, REC->i",
		    "-5|65531|-5|251|fb|fffb");
	assert_text("`%d|%x`, REC->ul, REC->ul", "-1091581186|beefcafe");
}

static void sizes_and_differences_are_as_wide_as_a_long(void **state)
{
	(void)state;
	assert_text("`%zu|%zd|%zx|%td|%jd`, REC->l, REC->l, REC->l, REC->l, REC->l",
		    "18446744073709551609|-7|fffffffffffffff9|-7|-7");
}

static void width_and_flags_fill_up(void **state)
{
	(void)state;
	assert_text(
		"`%5d|%-5d|%05d|%08x|%8lx|%-8lx|`, REC->i, REC->i, REC->i, REC->b, REC->b, REC->b",
		"   -5|-5   |-0005|000000c8|      c8|c8      |");
	assert_text("`%+d|% d|%+d|%-05d|`, REC->b, REC->b, REC->i, REC->b", "+200| 200|-5|200  |");
}

static void the_base_is_told_except_of_zero(void **state)
{
	(void)state;
	assert_text("`%#x|%#X|%#o|%#lx|%#018lx`, REC->b, REC->b, REC->b, 0, REC->b",
		    "0xc8|0XC8|0310|0|0x00000000000000c8");
}

static void precision_is_a_number_of_digits(void **state)
{
	(void)state;
	assert_text("`%.3d|%8.3d|%.0d|%.10x|%08.4d|`, REC->b, REC->b, 0, REC->b, REC->b",
		    "200|     200||00000000c8|    0200|");
}

static void width_and_precision_may_be_arguments(void **state)
{
	(void)state;
	assert_text(
		"`%*d|%-*d|%*d|%.*s|%*s|`, 5, REC->i, 6, REC->i, -6, REC->i, 1, REC->s, 7, REC->s",
		"   -5|-5    |-5    |h|     hi|");
}

static void large_and_small_numbers_have_all_their_digits(void **state)
{
	(void)state;
	assert_text(
		"`%llu %llu %llu %lld %o %llo`, 0, 18446744073709551615ULL, 10000000000, "
		"-9223372036854775807LL - 1, 0, -1",
		"0 18446744073709551615 10000000000 -9223372036854775808 0 1777777777777777777777");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_have_the_size_of_their_conversion),
		cmocka_unit_test(sizes_and_differences_are_as_wide_as_a_long),
		cmocka_unit_test(width_and_flags_fill_up),
		cmocka_unit_test(the_base_is_told_except_of_zero),
		cmocka_unit_test(precision_is_a_number_of_digits),
		cmocka_unit_test(width_and_precision_may_be_arguments),
		cmocka_unit_test(large_and_small_numbers_have_all_their_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
