/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "view/example-listing.h"

#define HEAD                                                                                       \
	"\nSorted summary for file /tmp/made\n"                                                    \
	"----------------------------------------------\n\n"

static void the_heaviest_lines_come_first(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	assert_added(&m, annotate_summary_add, HEAD "   60.00 a.c:3\n   40.00 a.c:4\n");
}

static void what_one_line_became_is_added_up(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.lines[4].at = m.lines[3].at;
	m.view.full_paths = true;
	assert_added(&m, annotate_summary_add, HEAD "  100.00 /src/a.c:3\n");
}

static void code_of_no_line_is_told_as_such(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.lines[3].at.file = m.lines[4].at.file = NULL;
	assert_added(&m, annotate_summary_add, HEAD "  100.00 ??:0\n");
}

static void little_is_not_told(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.listing.n = 2;
	assert_added(&m, annotate_summary_add, HEAD " Nothing higher than 0.5%\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_heaviest_lines_come_first),
		cmocka_unit_test(what_one_line_became_is_added_up),
		cmocka_unit_test(code_of_no_line_is_told_as_such),
		cmocka_unit_test(little_is_not_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
