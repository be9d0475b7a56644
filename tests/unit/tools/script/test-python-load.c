/* SPDX-License-Identifier: MIT */
#include "running-python.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)

static void a_function_is_called_without_a_tuple(void **state)
{
	PyObject *max = PyDict_GetItemString(PyEval_GetBuiltins(), "max");
	PyObject *args[] = { PyLong_FromLong(3), PyLong_FromLong(8) };

	(void)state;
	assert_non_null(max);
	assert_repr(python_vectorcall(max, args, 2), "8");
	Py_DECREF(args[0]);
	Py_DECREF(args[1]);
}

static void none_is_none(void **state)
{
	(void)state;
	assert_repr(python_none(), "None");
}

static void errors_are_pythons(void **state)
{
	(void)state;
	PyErr_SetString(PyExc_ValueError, "x");
	assert_true(PyErr_ExceptionMatches(PyExc_ValueError));
	assert_false(PyErr_ExceptionMatches(PyExc_TypeError));
	PyErr_Clear();
}

static void loading_again_changes_nothing(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(python_load(&diag), 0);
	python_start();
	assert_true(Py_IsInitialized());
}

/*
 * Without an interpreter its version is not known, so both packages are named: Debian 12 has 3.11,
 * Debian 13 has 3.13.
 */
static void the_package_is_one_that_there_is(void **state)
{
	_cleanup_(diag_done) struct diag known = { 0 }, unknown = { 0 };

	(void)state;
	python_hint_package(13, &known);
	assert_non_null(strstr(known.hint, "apt install libpython3.13 (Debian"));
	assert_non_null(strstr(known.hint, "zypper install libpython3_13-1_0 (SUSE"));
	python_hint_package(-1, &unknown);
	assert_non_null(strstr(unknown.hint, "apt install libpython3-dev (Debian"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_called_without_a_tuple),
		cmocka_unit_test(none_is_none),
		cmocka_unit_test(errors_are_pythons),
		cmocka_unit_test(loading_again_changes_nothing),
		cmocka_unit_test(the_package_is_one_that_there_is),
	};

	return running_python() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

#else

int main(void)
{
	return running_python();
}

#endif
