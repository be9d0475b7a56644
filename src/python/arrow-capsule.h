/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The capsules of Arrow's PyCapsule interface. A struct that was not taken is released with its
 * capsule.
 */
#include "python/module.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)
struct sample_column;
struct sample_table;

/*
 * Checks the arguments of __arrow_c_array__ and __arrow_c_stream__: a requested schema, which may
 * be ignored. false: an exception is set.
 */
bool arrow_capsule_check(PyObject *args, PyObject *kwargs);

/*
 * Return capsules of the column, or of the table if @c is NULL. An array comes as (schema, array).
 */
PyObject *arrow_capsule_schema(struct sample_table *t, const struct sample_column *c);
PyObject *arrow_capsule_array(struct sample_table *t, const struct sample_column *c);
PyObject *arrow_capsule_stream(struct sample_table *t);
#endif
