/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Python.h with its limited API: code compiled against it runs with every Python from 3.9 on.
 *
 * perf does not link libpython. The functions of Python that are used here are defined by
 * python-load.c, which calls the library once it is loaded; a missing function is added as a row in
 * python-api.def. The same sources can be linked into an extension module, where the interpreter
 * has these functions itself.
 *
 * None, True and False are variables of the library: take them from python-load.h.
 *
 * Without HAVE_LIBPYTHON there is only the name PyObject.
 */
#include <config.h>

typedef struct _object PyObject;

#if HAVE_LIBPYTHON && __has_include(<Python.h>)
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

static inline void python_unrefp(PyObject **p)
{
	Py_XDECREF(*p);
}
#endif
