/* SPDX-License-Identifier: MIT */
#include "running-python.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)

static void text_is_str(void **state)
{
	(void)state;
	assert_repr(python_string("perf"), "'perf'");
	assert_repr(python_string("caf\xc3\xa9"), "'caf\xc3\xa9'");
	assert_repr(python_text("abc", 2), "'ab'");
	assert_repr(python_string(""), "''");
	assert_repr(python_string(NULL), "''");
}

static void bytes_that_are_no_text_are_shown_by_number(void **state)
{
	(void)state;
	assert_repr(python_string("\xff\xfe"), "'\\\\xff\\\\xfe'");
	assert_repr(python_string("a\xc3"), "'a\\\\xc3'");
	/* A surrogate, which is not valid in UTF-8. */
	assert_repr(python_string("\xed\xa0\x80"), "'\\\\xed\\\\xa0\\\\x80'");
	assert_repr(python_text("a\0b", 3), "'a\\x00b'");
}

static void a_copy_is_utf_8_again(void **state)
{
	_cleanup_(python_unrefp) PyObject *s = python_string("caf\xc3\xa9");
	_cleanup_(python_unrefp) PyObject *number = PyLong_FromLong(3);
	_cleanup_(freep) char *copy = python_text_copy(s);

	(void)state;
	assert_string_equal(copy, "caf\xc3\xa9");
	assert_null(python_text_copy(number));
	assert_null(PyErr_Occurred());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_str),
		cmocka_unit_test(bytes_that_are_no_text_are_shown_by_number),
		cmocka_unit_test(a_copy_is_utf_8_again),
	};

	return running_python() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

#else

int main(void)
{
	return running_python();
}

#endif
