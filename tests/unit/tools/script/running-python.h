/* SPDX-License-Identifier: MIT */
#pragma once
/* An interpreter for tests of conversions to Python's values. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "tools/script/python/load.h"
#include "tools/script/python/text.h"

/* Starts the interpreter. If there is none, returns false and prints the reason as TAP wants it. */
static inline bool running_python(void)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (python_load(&diag) < 0) {
		printf("1..0 # SKIP %s\n", diag.message);
		return false;
	}
#if HAVE_LIBPYTHON
	python_start();
#endif
	return true;
}

#if HAVE_LIBPYTHON && __has_include(<Python.h>)
/* Checks that repr() of @o is @expected, and takes the reference of @o. */
static inline void assert_repr(PyObject *o, const char *expected)
{
	assert_non_null(o);

	_cleanup_(python_unrefp) PyObject *text = PyObject_Repr(o);
	_cleanup_(freep) char *chars = text ? python_text_copy(text) : NULL;

	Py_DECREF(o);
	assert_non_null(chars);
	assert_string_equal(chars, expected);
}
#endif
