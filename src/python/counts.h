/* SPDX-License-Identifier: MIT */
#pragma once
/* perf.counts_values: the result of evsel.read(). */
#include "python/live-event.h"
#include "python/module.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)
PyObject *counts_new(const struct live_count *c);
#endif
