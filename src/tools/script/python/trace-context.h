/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The module perf_trace_context, through which a script asks about the event that its handler was
 * called for: `from perf_trace_context import *`. Private to tools/script.
 */
#include "base/python.h"

struct python_script;

/* Makes the module known to the interpreter, which must not run yet. */
void trace_context_register(void);

/*
 * The object that handlers get as `context`, which stands for @s; also set as
 * perf_trace_context.perf_script_context. A new reference; NULL: Python's error is set.
 */
PyObject *trace_context_new(struct python_script *s);
