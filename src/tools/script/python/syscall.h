/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * perf_trace_context.syscall_name(number[, machine]): names of system calls for scripts, from the
 * tables of perf itself.
 */
#include "base/python.h"

/*
 * Returns the name of the system call @nr of @machine ("x86_64", "i386", "aarch64", "arm"). If
 * @machine is NULL, it is the machine with the name @recorded in a recording, or this machine if
 * that is NULL, too. NULL: there is no such call, or the machine is unknown.
 */
const char *script_syscall_name(const char *recorded, const char *machine, long nr);

#if HAVE_LIBPYTHON
/* The function itself. Returns a str, or None if there is no name. */
PyObject *python_syscall_name(PyObject *module, PyObject *args);
#endif
