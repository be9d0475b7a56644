/* SPDX-License-Identifier: MIT */
#include "tools/script/python/text.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

#if HAVE_LIBPYTHON

PyObject *python_string(const char *s)
{
	return s ? python_text(s, strlen(s)) : python_text("", 0);
}

char *python_text_copy(PyObject *s)
{
	_cleanup_(python_unrefp) PyObject *bytes = PyUnicode_AsUTF8String(s);
	const char *chars = bytes ? PyBytes_AsString(bytes) : NULL;

	if (!chars)
		PyErr_Clear();
	return chars ? xstrdup(chars) : NULL;
}

#endif
