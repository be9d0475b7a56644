/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/exec-path.h"
#include "cli/program-first.h"

/* This program is not called perf. */
static void perf_is_a_link_to_a_program_of_another_name(void **state)
{
	_cleanup_(freep) char *self = program_path();
	_cleanup_(diag_done) struct diag d = { 0 };
	struct program_first p = { 0 };
	char to[4096] = "";

	(void)state;
	setenv("PATH", "/bin", 1);
	assert_int_equal(program_first_in_path(&p, &d), 0);

	_cleanup_(freep) char *folder = xstrdup(p.made);
	_cleanup_(freep) char *link = xasprintf("%s/perf", folder);
	_cleanup_(freep) char *path = xasprintf("%s:/bin", folder);

	assert_string_equal(getenv("PATH"), path);
	assert_true(readlink(link, to, sizeof(to) - 1) > 0);
	assert_string_equal(to, self);
	program_first_done(&p);
	assert_int_equal(access(folder, F_OK), -1);
}

static void an_option_wins_over_the_variable(void **state)
{
	setenv("PERF_EXEC_PATH", "/variable", 1);

	_cleanup_(freep) char *typed = exec_path_find("/typed");
	_cleanup_(freep) char *variable = exec_path_find(NULL);

	(void)state;
	assert_string_equal(typed, "/typed");
	assert_string_equal(variable, "/variable");
	unsetenv("PERF_EXEC_PATH");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(perf_is_a_link_to_a_program_of_another_name),
		cmocka_unit_test(an_option_wins_over_the_variable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
