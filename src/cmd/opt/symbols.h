/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where names come from and how they are written: for every command that turns addresses into
 * functions and lines. Paths are borrowed from argv; reading_check_files() looks at them.
 */
#include <stdbool.h>

#include "cli/option.h"
#include "cmd/opt/value.h"
#include "session/call-sites.h"

struct symbol_opts {
	const char *vmlinux;
	const char *kallsyms;
	const char *symfs;
	enum choice demangle;        /* unsaid: yes */
	enum choice demangle_kernel; /* unsaid: no */
	enum choice inlines;         /* unsaid: where perf unwound the stack */
	bool full_source_path;
	bool stitch_lbr;
};

/* Rows over a struct symbol_opts: all with a heading, and only where names come from. */
extern const struct option symbol_options[];
extern const struct option symbol_file_options[];

/* Rows of commands that Linux's perf has them for. */
#define OPT_MODULES                                                                                \
	OPT_NOTHING('m', "modules", NULL, "with -k, symbols of the running kernel's modules", NULL)
#define OPT_OBJDUMP                                                                                \
	OPT_NOTHING(0, "objdump", "path", "objdump to use", "perf disassembles code itself")
#define OPT_ADDR2LINE                                                                              \
	OPT_NOTHING(0, "addr2line", "path", "addr2line to use",                                    \
		    "perf reads debug information itself")

/* Which stacks show functions that were inlined. */
enum inlines symbol_opts_inlines(const struct symbol_opts *o);
