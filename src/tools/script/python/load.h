/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Loads libpython when it is first needed.
 *
 * It is the library of the system's interpreter (/usr/bin/python3), not of the first python3 in
 * PATH, because packages of the distribution are installed for the former. If that one has no
 * library, the newest library is used. It stays loaded until the process ends. The table of its
 * functions is the only global here, like that of a dynamic linker.
 */
#include <stddef.h>

#include "base/python.h"

struct diag;

/*
 * Loads the library, unless it is loaded already. Returns -ENOENT with @diag if none was found (the
 * hint names the package), or -EOPNOTSUPP if this perf was built without Python. The interpreter is
 * not started.
 */
int python_load(struct diag *diag);

/* Adds the package of libpython 3.@minor to the hint of @diag; -1 means any version. */
void python_hint_package(int minor, struct diag *diag);

/* Starts the interpreter after python_load() has succeeded. Does nothing if it runs already. */
void python_start(void);

/* Returns None, a new reference. */
PyObject *python_none(void);

/*
 * Calls @f with the @n arguments, without a tuple if Python supports that. Returns a new reference,
 * or NULL.
 */
PyObject *python_vectorcall(PyObject *f, PyObject *const *args, size_t n);
