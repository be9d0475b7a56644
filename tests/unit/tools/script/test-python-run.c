/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/script/python/run.h"

static const char *path_of(const char *name)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const char *path = NULL;

	assert_int_equal(python_script_path(name, &path, &diag), 0);
	return path;
}

static int error_of(const char *name)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const char *path = NULL;
	int r = python_script_path(name, &path, &diag);

	assert_null(path);
	assert_non_null(diag.message);
	assert_non_null(diag.hint);
	return r;
}

static void the_language_is_in_front_or_at_the_end(void **state)
{
	(void)state;
	assert_string_equal(path_of("x.py"), "x.py");
	assert_string_equal(path_of("a:b/x.py"), "a:b/x.py");
	assert_string_equal(path_of("python:x"), "x");
	assert_string_equal(path_of("Python:x.txt"), "x.txt");
	assert_string_equal(path_of("py:x:y"), "x:y");
}

static void perl_is_known_and_not_run(void **state)
{
	(void)state;
	assert_int_equal(error_of("x.pl"), -EOPNOTSUPP);
	assert_int_equal(error_of("perl:x"), -EOPNOTSUPP);
	assert_int_equal(error_of("PL:x"), -EOPNOTSUPP);
}

static void anything_else_is_a_mistake(void **state)
{
	(void)state;
	assert_int_equal(error_of("x"), -EINVAL);
	assert_int_equal(error_of("lua:x"), -EINVAL);
	assert_int_equal(error_of(""), -EINVAL);
	assert_int_equal(error_of(":"), -EINVAL);
	assert_int_equal(error_of("x.pyc"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_language_is_in_front_or_at_the_end),
		cmocka_unit_test(perl_is_known_and_not_run),
		cmocka_unit_test(anything_else_is_a_mistake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
