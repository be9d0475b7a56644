/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/redraw-cut.h"

static void assert_cut(const char *line, size_t columns, const char *wanted, size_t used)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	assert_int_equal(redraw_cut(&t, line, strlen(line), columns), used);
	assert_string_equal(t.chars, wanted);
}

static void a_line_that_fits_stays_as_it_is(void **state)
{
	(void)state;
	assert_cut("", 5, "", 0);
	assert_cut("12345", 5, "12345", 5);
	assert_cut("123456", 5, "12345", 5);
	assert_cut("12345", 0, "", 0);
}

static void colours_take_no_columns_and_end_with_the_line(void **state)
{
	(void)state;
	assert_cut("\033[1;31mabc\033[m", 3, "\033[1;31mabc\033[m", 3);
	assert_cut("\033[1;31mabcd\033[m", 3, "\033[1;31mabc\033[m", 3);
	assert_cut("\033[31", 3, "\033[31", 0);
	assert_int_equal(redraw_columns("\033[7mab\033[m", 9), 2);
}

static void characters_are_whole(void **state)
{
	(void)state;
	assert_cut("\xe2\x96\x81\xe2\x96\x88", 1, "\xe2\x96\x81", 1);
	assert_cut("\xe6\x97\xa5\xe6\x9c\xac", 3, "\xe6\x97\xa5", 2);
	assert_cut("\xf0\x9f\x98\x80", 1, "", 0);
	/* Each byte that is not UTF-8 takes a column. */
	assert_cut("\xe6\x97", 5, "\xe6\x97", 2);
	assert_cut("\xff\xfe\xfd", 2, "\xff\xfe", 2);
	assert_cut("\xc3(", 5, "\xc3(", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_that_fits_stays_as_it_is),
		cmocka_unit_test(colours_take_no_columns_and_end_with_the_line),
		cmocka_unit_test(characters_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
