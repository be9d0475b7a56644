/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "datafile/features.h"
#include "measure/origin.h"

static void the_program_is_named_by_its_path(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	(void)state;
	origin_describe(&f);
	assert_true(f.cmdline.n >= 1);
	assert_int_equal(f.cmdline.items[0][0], '/');
	assert_non_null(strstr(f.cmdline.items[0], program_invocation_short_name));
}

static void the_machine_and_the_version_are_told(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	(void)state;
	origin_describe(&f);
	assert_non_null(f.hostname);
	assert_non_null(f.version);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_program_is_named_by_its_path),
		cmocka_unit_test(the_machine_and_the_version_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
