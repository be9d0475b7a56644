/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where names come from and how they are written, for everything that turns addresses into
 * functions and lines. Paths are borrowed.
 */
#include <stdbool.h>

#include "base/choice.h"

struct symbol_request {
	const char *vmlinux;
	const char *kallsyms;
	const char *symfs;
	enum choice demangle;        /* unsaid: yes */
	enum choice demangle_kernel; /* unsaid: no */
	enum choice inlines;         /* unsaid: where perf unwound the stack */
	bool full_source_path;
	bool stitch_lbr;
};
