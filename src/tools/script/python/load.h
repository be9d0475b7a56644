/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * libpython, loaded when it is first needed.
 *
 * It is the library of the system's interpreter (/usr/bin/python3), not of the first python3 in
 * PATH: packages of the distribution are installed for that one. Where that one has no library,
 * the newest is taken. It stays until the process ends. The table of its functions is the one
 * thing here that is global, as a dynamic linker's is.
 */
#include <stddef.h>

#include "base/python.h"

struct diag;

/*
 * Loads the library, unless it is there. -ENOENT with @diag: none was found, and the hint names the
 * package; -EOPNOTSUPP: this perf was built without Python. The interpreter is not started.
 */
int python_load(struct diag *diag);

/* Adds the package of libpython 3.@minor to the hint of @diag; -1: of any version. */
void python_hint_package(int minor, struct diag *diag);

/* Starts the interpreter, once python_load() has succeeded; does nothing if it runs. */
void python_start(void);

/* None: a new reference. */
PyObject *python_none(void);

/* Calls @f with the @n arguments, without a tuple if Python can. A new reference, or NULL. */
PyObject *python_vectorcall(PyObject *f, PyObject *const *args, size_t n);
