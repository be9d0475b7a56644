/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/size-text.h"

static void the_next_unit_begins_at_two_of_it(void **state)
{
	(void)state;
	char room[SIZE_TEXT_MAX];

	assert_string_equal(size_text(0, room), "0B");
	assert_string_equal(size_text(2047, room), "2047B");
	assert_string_equal(size_text(2048, room), "2K");
	assert_string_equal(size_text(4096, room), "4K");
	assert_string_equal(size_text(1 << 20, room), "1024K");
	assert_string_equal(size_text(2 << 20, room), "2M");
	assert_string_equal(size_text(1 << 30, room), "1024M");
}

static void what_does_not_fill_a_unit_is_cut_off(void **state)
{
	(void)state;
	char room[SIZE_TEXT_MAX];

	assert_string_equal(size_text(12345, room), "12K");
}

static void there_is_no_unit_beyond_giga(void **state)
{
	(void)state;
	char room[SIZE_TEXT_MAX];

	assert_string_equal(size_text(1ULL << 63, room), "8589934592G");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_unit_begins_at_two_of_it),
		cmocka_unit_test(what_does_not_fill_a_unit_is_cut_off),
		cmocka_unit_test(there_is_no_unit_beyond_giga),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
