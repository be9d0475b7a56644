/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * perf.column and perf.buffer: arrays of a table, which they keep, by the buffer protocol and by
 * NumPy's array interface.
 */
#include "python/module.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)
struct sample_column;
struct sample_table;

PyObject *column_object_new(struct sample_table *t, const struct sample_column *c);
#endif
