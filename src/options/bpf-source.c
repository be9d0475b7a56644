/* SPDX-License-Identifier: MIT */
#include "options/bpf-source.h"

#define TEXT(name, field, arg, help, ...)                                                          \
	OPT_STRING(0, name, struct bpf_source_request, field, arg, help, ##__VA_ARGS__)

/* Variables that no option sets. */
#define VARIABLES                                                                                  \
	TEXT(NULL, compiler.command, NULL, "the command line that compiles BPF sources in -e",     \
	     .config = "llvm.clang-bpf-cmd-template"),                                             \
		TEXT(NULL, compiler.kbuild, NULL,                                                  \
		     "where the kernel was built, whose headers BPF sources include",              \
		     .config = "llvm.kbuild-dir"),                                                 \
		TEXT(NULL, compiler.llc, NULL,                                                     \
		     "options for llc, which then makes the object out of what clang made",        \
		     .config = "llvm.opts"),                                                       \
		OPT_FLAG(0, NULL, struct bpf_source_request, dump_object,                          \
			 "keep the object beside its source", .config = "llvm.dump-obj")

const struct option bpf_source_options[] = {
	TEXT("clang-path", compiler.clang, "path", "clang for BPF sources in -e",
	     .config = "llvm.clang-path"),
	TEXT("clang-opt", compiler.options, "options", "options for that clang",
	     .config = "llvm.clang-opt"),
	TEXT("vmlinux", vmlinux, "file", "vmlinux with debug information, for BPF sources in -e"),
	VARIABLES, OPT_END
};

const struct option bpf_source_variables[] = {
	TEXT(NULL, compiler.clang, NULL, "clang for BPF sources in -e",
	     .config = "llvm.clang-path"),
	TEXT(NULL, compiler.options, NULL, "options for that clang", .config = "llvm.clang-opt"),
	VARIABLES, OPT_END
};
