/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Text of the recorded machine as Python's str.
 *
 * Names of tasks and fields of tracepoints are bytes that anybody may have chosen. What is not
 * UTF-8 becomes \xNN, so that print() never fails.
 */
#include <stddef.h>

#include "base/python.h"

/* A new reference; NULL: Python's error is set. */
PyObject *python_text(const char *s, size_t n);

/* The same for a string; NULL gives "". */
PyObject *python_string(const char *s);

/* @s as UTF-8, which the caller frees; NULL: it is no str. Clears Python's error. */
char *python_text_copy(PyObject *s);
