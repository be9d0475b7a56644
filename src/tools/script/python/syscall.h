/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * perf_trace_context.syscall_name(number[, machine]): names of system calls for scripts, from the
 * tables of perf itself.
 */
#include "base/python.h"

/*
 * The name of the system call @nr of @machine ("x86_64", "i386", "aarch64", "arm"); with NULL, of
 * the machine that a recording calls @recorded, or of this one if that is NULL, too. NULL: there is
 * no such call, or the machine is not known.
 */
const char *script_syscall_name(const char *recorded, const char *machine, long nr);

#if HAVE_LIBPYTHON
/* The function itself: a str, or None for what has no name. */
PyObject *python_syscall_name(PyObject *module, PyObject *args);
#endif
