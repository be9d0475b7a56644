/* SPDX-License-Identifier: MIT */
#pragma once
/* Converts strings to Python's str, and back. */
#include "base/python.h"

/* Returns python_text() of a string; NULL gives "". */
PyObject *python_string(const char *s);

/* Returns @s as UTF-8, which the caller frees. NULL: it is not a str. Clears Python's error. */
char *python_text_copy(PyObject *s);
