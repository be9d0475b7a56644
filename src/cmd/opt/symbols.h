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

/* Rows over a struct symbol_opts, with a heading. */
extern const struct option symbol_options[];

/* Which stacks show functions that were inlined. */
enum inlines symbol_opts_inlines(const struct symbol_opts *o);
