/* SPDX-License-Identifier: MIT */
#pragma once
/* The two parts of the runtime of Python: how it is found, and how its code objects are read. */
#include <stdint.h>

#include "runtime/code.h"
#include "runtime/runtime-types.h"

/* As in Py_Version: 3.11.2 is 0x030b02.. */
#define PYTHON_VERSION(minor) (0x03000000u | (minor) << 16)
#define PYTHON_MINOR(version) ((version) >> 16 & 0xff)

/* The head of every object, until 3.12: the address of its type. A size may follow. */
#define PYTHON_OBJECT_TYPE 8

int python_read(const struct runtime_process *p, int pid, const uint64_t frame[2],
		struct runtime_code *ret);
