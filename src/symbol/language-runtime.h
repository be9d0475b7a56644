/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Programs that run code which no symbol table names: interpreters, and compilers at run time. They
 * name it on request.
 */
#include <stdbool.h>
#include <stdint.h>

#include "runtime/runtime-types.h"

struct image;
struct text;

/* Returns the runtime that the file @path is, by its name. */
enum runtime_kind language_runtime_of(const char *path);

/*
 * True if the process that has @im mapped wrote the names of its code to /tmp/perf-PID.map, which
 * may be in its container.
 */
bool language_runtime_names(const struct image *im);

/* Appends how to get names of the functions of the program. */
void language_runtime_advise(enum runtime_kind kind, struct text *out);
