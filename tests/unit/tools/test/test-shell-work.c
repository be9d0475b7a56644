/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tools/test/plan-work.h"
#include "tools/test/shell-work.h"

static void expect_name(const char *text, const char *name, bool alone)
{
	bool is_alone = false;
	_cleanup_(freep) char *found = selftest_script_name(text, &is_alone);

	if (!name) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, name);
	assert_int_equal(is_alone, alone);
}

static void the_first_comment_that_is_no_licence_is_the_name(void **state)
{
	(void)state;
	expect_name("#!/bin/sh\n# stat works\n", "stat works", false);
	expect_name("#!/bin/bash\n# SPDX-License-Identifier: MIT\n# stat works\nx\n", "stat works",
		    false);
	expect_name("#!/bin/sh\n#\n# after an empty one \n", "after an empty one", false);
	expect_name("#!/bin/sh\n# stat works (exclusive)\n", "stat works", true);
}

static void scripts_without_a_name_are_no_tests(void **state)
{
	(void)state;
	expect_name("", NULL, false);
	expect_name("# not executable\n", NULL, false);
	expect_name("#!/bin/sh", NULL, false);
	expect_name("#!/bin/sh\necho\n# too late\n", NULL, false);
	expect_name("#!/bin/sh\n# (exclusive)\n", NULL, false);
	expect_name("#!/bin/sh\n#", NULL, false);
}

static void a_long_name_is_cut(void **state)
{
	char text[1000] = "#!/bin/sh\n# ";
	bool alone;
	_cleanup_(freep) char *name = NULL;

	(void)state;
	memset(text + strlen(text), 'x', sizeof(text) - strlen(text) - 1);
	name = selftest_script_name(text, &alone);
	assert_non_null(name);
	assert_int_equal(strlen(name), 200);
}

static void a_folder_that_is_not_there_has_no_tests(void **state)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };

	(void)state;
	selftest_add_scripts(&p, "/nonexistent/tests");
	assert_int_equal(p.suites.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_comment_that_is_no_licence_is_the_name),
		cmocka_unit_test(scripts_without_a_name_are_no_tests),
		cmocka_unit_test(a_long_name_is_cut),
		cmocka_unit_test(a_folder_that_is_not_there_has_no_tests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
