/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts text of the recorded machine to Python's str.
 *
 * Names of tasks and fields of tracepoints are arbitrary, untrusted bytes. Bytes that are not UTF-8
 * become \xNN, so that print() never fails.
 */
#include <stddef.h>

#include "base/python.h"

/* Returns a new reference. NULL: Python's error is set. */
PyObject *python_text(const char *s, size_t n);

/* Does the same for a string; NULL gives "". */
PyObject *python_string(const char *s);

/* Returns @s as UTF-8, which the caller frees. NULL: it is not a str. Clears Python's error. */
char *python_text_copy(PyObject *s);
