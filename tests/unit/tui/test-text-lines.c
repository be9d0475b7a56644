/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/text-lines.h"

static void a_text_becomes_lines(void **state)
{
	struct text_lines l;

	(void)state;
	text_lines_init(&l, "one\n\n\tthree\n");
	assert_int_equal(l.n, 3);
	assert_string_equal(text_lines_get(&l, 0), "one");
	assert_string_equal(text_lines_get(&l, 1), "");
	assert_string_equal(text_lines_get(&l, 2), "        three");
	assert_string_equal(text_lines_get(&l, 3), "");
	text_lines_done(&l);
}

static void nothing_has_no_lines(void **state)
{
	struct text_lines l;

	(void)state;
	text_lines_init(&l, "");
	assert_int_equal(l.n, 0);
	assert_int_equal(text_lines_find(&l, "x", 0, 1), 0);
	text_lines_done(&l);
}

static void searching_goes_round_both_ways(void **state)
{
	struct text_lines l;

	(void)state;
	text_lines_init(&l, "Main\nb\nmain()\nd");
	assert_int_equal(text_lines_find(&l, "main", 0, 1), 2);
	assert_int_equal(text_lines_find(&l, "main", 2, 1), 0);
	assert_int_equal(text_lines_find(&l, "main", 0, -1), 2);
	assert_int_equal(text_lines_find(&l, "d", 3, 1), 3);
	assert_int_equal(text_lines_find(&l, "x", 1, -1), 4);
	text_lines_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_becomes_lines),
		cmocka_unit_test(nothing_has_no_lines),
		cmocka_unit_test(searching_goes_round_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
