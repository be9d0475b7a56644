/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Programs that run code which no symbol table names: interpreters, and compilers at run time. They
 * name it on request.
 */
#include <stdbool.h>
#include <stdint.h>

struct image;
struct text;

enum language_runtime {
	RUNTIME_NONE,
	RUNTIME_PYTHON,
	RUNTIME_NODE,
	RUNTIME_JAVA,
	RUNTIMES,
};

/*
 * Returns the runtime that the file @path is, by its name; @ret_minor: the 12 of Python 3.12, or 0.
 */
enum language_runtime language_runtime_of(const char *path, unsigned *ret_minor);

/*
 * True if the process that has @im mapped wrote the names of its code to /tmp/perf-PID.map, which
 * may be in its container.
 */
bool language_runtime_names(const struct image *im);

/* Appends why the functions of the program have no names, and how to get names. */
void language_runtime_advise(enum language_runtime r, unsigned minor, struct text *out);
