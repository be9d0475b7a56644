/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "cli/manual.h"

/*
 * The program under test is in a directory without docs/man, so no page is found beside it. A live
 * test covers pages that exist.
 */
static void a_page_that_is_not_there_says_so(void **state)
{
	(void)state;
	assert_int_equal(manual_show("perf-no-such-page"), -ENOENT);
	assert_int_equal(manual_show("../../../etc/passwd"), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_that_is_not_there_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
