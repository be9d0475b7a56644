/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * perf.column and perf.buffer: arrays of a table, made available through the buffer protocol and
 * NumPy's array interface. They keep the table alive.
 */
#include "python/module.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)
struct sample_column;
struct sample_table;

PyObject *column_object_new(struct sample_table *t, const struct sample_column *c);
#endif
