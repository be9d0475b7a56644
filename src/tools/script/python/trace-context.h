/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The module perf_trace_context, with which a script queries the event of its current handler:
 * `from perf_trace_context import *`. Private to tools/script.
 */
#include "base/python.h"

struct python_script;

/* Registers the module with the interpreter, which must not run yet. */
void trace_context_register(void);

/*
 * Returns the object that handlers get as `context`, which stands for @s. It is also set as
 * perf_trace_context.perf_script_context. A new reference; NULL: Python's error is set.
 */
PyObject *trace_context_new(struct python_script *s);
