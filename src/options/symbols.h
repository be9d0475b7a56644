/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options that say where names come from and how they are written: for every command that turns
 * addresses into functions and lines. Paths are borrowed from argv; reading_check_files() checks
 * them.
 */
#include "cli/option.h"
#include "symbol/symbol-request.h"

/*
 * Options over a struct symbol_request. The first table has all of them, with a heading; the second
 * has only those for where names come from.
 */
extern const struct option symbol_options[];
extern const struct option symbol_file_options[];

/* Options of commands for which Linux's perf has them. */
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
