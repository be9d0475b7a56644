/* SPDX-License-Identifier: MIT */
#include "options/symbols.h"

const struct option symbol_file_options[] = {
	OPT_STRING('k', "vmlinux", struct symbol_request, vmlinux, "file",
		   "take kernel symbols from this vmlinux", .flags = OPTION_READS),
	OPT_STRING(0, "kallsyms", struct symbol_request, kallsyms, "file",
		   "take kernel symbols from this copy of /proc/kallsyms", .flags = OPTION_READS),
	OPT_STRING(0, "symfs", struct symbol_request, symfs, "directory",
		   "look for programs and libraries below this directory"),
	OPT_END
};

const struct option symbol_options[] = {
	OPT_HEADING("Symbols and source lines:"),
	OPT_INCLUDE(symbol_file_options),
	OPT_CHOICE(0, "demangle", struct symbol_request, demangle,
		   "C++, Rust and D names as in the source (the default)"),
	OPT_CHOICE(0, "demangle-kernel", struct symbol_request, demangle_kernel,
		   "also demangle names of the kernel"),
	OPT_CHOICE(0, "inline", struct symbol_request, inlines,
		   "show inlined functions as frames (the default where perf unwinds)",
		   .config = "call-graph.inline"),
	OPT_FLAG(0, "full-source-path", struct symbol_request, full_source_path,
		 "source files with their whole path"),
	OPT_FLAG(0, "stitch-lbr", struct symbol_request, stitch_lbr,
		 "join LBR stacks that overlap into longer ones"),
	OPT_END
};
