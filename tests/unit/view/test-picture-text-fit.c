/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "view/picture/text-fit.h"

static void a_short_name_fits_whole(void **state)
{
	(void)state;
	assert_int_equal(text_fit("main", 4, 12, 100), 4);
	assert_int_equal(text_fit("", 0, 12, 0), 0);
	assert_int_equal(text_fit("main", 4, 12, text_width("main", 4, 12)), 4);
}

static void a_long_name_leaves_room_for_the_ellipsis(void **state)
{
	char name[10001];
	size_t n;

	(void)state;
	memset(name, 'a', sizeof(name));
	n = text_fit(name, 10000, 10, 100);
	assert_true(n > 5 && n < 16);
	assert_true(text_width(name, n, 10) + 10 <= 100);
	assert_true(text_width(name, n + 1, 10) + 10 > 100);
}

static void two_characters_are_not_worth_it(void **state)
{
	(void)state;
	assert_int_equal(text_fit("abcdefgh", 8, 10, 24), 0);
	assert_int_equal(text_fit("abcdefgh", 8, 10, 0), 0);
	assert_int_equal(text_fit("abcdefgh", 8, 10, -5), 0);
	assert_int_equal(text_fit("ab", 2, 10, 14), 2);
}

static void a_character_is_never_cut(void **state)
{
	static const char name[] = "\xe6\x9d\xb1\xe4\xba\xac\xe6\x9d\xb1\xe4\xba\xac\xe6\x9d\xb1";

	(void)state;
	for (int width = 0; width < 80; width++)
		assert_int_equal(text_fit(name, strlen(name), 10, width) % 3, 0);
	assert_float_equal(text_width(name, strlen(name), 10), 50, 1e-9);
	assert_true(text_width("iiii", 4, 10) < text_width("mmmm", 4, 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_short_name_fits_whole),
		cmocka_unit_test(a_long_name_leaves_room_for_the_ellipsis),
		cmocka_unit_test(two_characters_are_not_worth_it),
		cmocka_unit_test(a_character_is_never_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
