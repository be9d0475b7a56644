/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cmd/command-line.h"

static void the_program_is_named_by_its_path(void **state)
{
	(void)state;
	struct command_line l = command_line_typed();

	assert_true(l.n >= 1);
	assert_int_equal(l.argv[0][0], '/');
	assert_non_null(strstr(l.argv[0], "test-command-line"));
	command_line_done(&l);
	assert_int_equal(l.n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_program_is_named_by_its_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
