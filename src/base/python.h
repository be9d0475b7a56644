/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Python.h with its limited API: code compiled against it runs with every Python from 3.9 on.
 *
 * perf does not link libpython. The functions of Python that it uses are defined by
 * tools/script/python/load.c, which calls the library once it is loaded; a missing function is
 * added as a row in api.def beside it. In the module of the layer python, the interpreter has these
 * functions itself.
 *
 * None is a variable of the library: perf takes it from load.h.
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

/*
 * Returns text of the recorded machine as a str. Such text is arbitrary, untrusted bytes: those
 * that are not UTF-8 become \xNN, so that print() never fails.
 */
static inline PyObject *python_text(const char *s, size_t n)
{
	return PyUnicode_DecodeUTF8(s, (Py_ssize_t)n, "backslashreplace");
}

/* Adds @item, whose reference it takes, to *@list. NULL, or an error: *@list becomes NULL. */
static inline void python_append(PyObject **list, PyObject *item)
{
	if (!item || PyList_Append(*list, item) < 0)
		Py_CLEAR(*list);
	Py_XDECREF(item);
}
#endif
