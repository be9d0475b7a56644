/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/wrap.h"

static void assert_wrapped(const char *before, const char *s, size_t indent, size_t width,
			   const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_add(&t, before);
	text_add_wrapped(&t, s, indent, width);
	assert_string_equal(t.chars, expected);
}

static void lines_are_broken_at_blanks(void **state)
{
	(void)state;
	assert_wrapped("", "one two three", 2, 7, "one two\n  three\n");
	assert_wrapped("", "one two three", 2, 6, "one\n  two\n  three\n");
	assert_wrapped("", "one two three", 0, 13, "one two three\n");
	assert_wrapped("", "", 2, 10, "\n");
}

static void the_first_line_goes_on_behind_what_is_there(void **state)
{
	(void)state;
	assert_wrapped("old\nperf: ", "one two", 2, 9, "old\nperf: one\n  two\n");
	assert_wrapped("perf: ", "enormous", 2, 9, "perf: enormous\n");
}

static void a_word_that_does_not_fit_has_a_line_of_its_own(void **state)
{
	(void)state;
	assert_wrapped("", "a /usr/lib/very/long b", 2, 10, "a\n  /usr/lib/very/long\n  b\n");
}

static void without_a_width_there_is_one_line(void **state)
{
	(void)state;
	assert_wrapped("x: ", "one two  three ", 2, 0, "x: one two  three \n");
}

static void columns_are_counted_and_not_bytes(void **state)
{
	(void)state;
	assert_wrapped("", "äöü äöü", 0, 7, "äöü äöü\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_broken_at_blanks),
		cmocka_unit_test(the_first_line_goes_on_behind_what_is_there),
		cmocka_unit_test(a_word_that_does_not_fit_has_a_line_of_its_own),
		cmocka_unit_test(without_a_width_there_is_one_line),
		cmocka_unit_test(columns_are_counted_and_not_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
