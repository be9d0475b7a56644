/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where names come from and how they are written: for every command that turns addresses into
 * functions and lines. Paths are borrowed from argv; reading_check_files() looks at them.
 */
#include "cli/option.h"
#include "symbol/symbol-request.h"

/* Rows over a struct symbol_request: all with a heading, and only where names come from. */
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
#define OPT_ADDR2LINE_STYLE                                                                        \
	OPT_NOTHING(0, "addr2line-style", "libdw,llvm,libbfd,addr2line",                           \
		    "what finds lines of the source, in which order",                              \
		    "perf reads debug information itself")
#define OPT_UNWIND_STYLE                                                                           \
	OPT_NOTHING(0, "unwind-style", "libdw,libunwind", "library that unwinds copied stacks",    \
		    "perf unwinds them itself")
