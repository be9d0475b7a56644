/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where names come from and how they are written: for every command that turns addresses into
 * functions and lines. Paths are borrowed from argv; symbol_files_check() looks at them.
 */
#include "cli/option.h"
#include "job/symbol-request.h"
#include "session/call-sites.h"

struct diag;
struct reading_symbols;

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

/* Which stacks show functions that were inlined. */
enum inlines symbol_request_inlines(const struct symbol_request *o);

/*
 * Whether the files of --vmlinux and --kallsyms, and those for guests, can be read: names from
 * elsewhere are not what was asked for. A negative errno with @diag set if one cannot.
 */
int symbol_files_check(const struct reading_symbols *how, struct diag *diag);
