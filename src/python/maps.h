/* SPDX-License-Identifier: MIT */
#pragma once
/* The Python types perf.cpu_map and perf.thread_map. */
#include "python/live-event.h"
#include "python/module.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)
/* Returns the list of a map, which lives as long as the map. */
const struct int_list *map_list(PyObject *o);

/* Makes a map of TYPE_CPU_MAP or TYPE_THREAD_MAP, with a copy of @list. */
PyObject *map_new(enum module_type type, const struct int_list *list);
#endif
