/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Programs that run code which no symbol table names: interpreters, and compilers at run time. They
 * name it if they are asked to.
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

/* Which one the file @path is, by its name; @ret_minor: the 12 of Python 3.12, or 0. */
enum language_runtime language_runtime_of(const char *path, unsigned *ret_minor);

/*
 * Whether the process that has @im mapped wrote down the names of its code: in /tmp/perf-PID.map,
 * which may be that of its container.
 */
bool language_runtime_names(const struct image *im);

/* Appends why the functions of the program have no names, and what gives them some. */
void language_runtime_advise(enum language_runtime r, unsigned minor, struct text *out);
