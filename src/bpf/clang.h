/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Compiles BPF sources of users with clang, when a command needs them.
 *
 * clang is started by a shell with a command line that the user may replace; its parts are in
 * environment variables, as in Linux's perf. clang's messages go to standard error as usual.
 * Nothing is written to disk: our headers are in memory, and so is the object.
 */
#include <stdbool.h>
#include <stddef.h>

struct bytes;
struct diag;

/*
 * The options of a compilation. All zero: the clang of $PATH with its defaults. Texts are borrowed.
 */
struct bpf_compiler {
	const char *clang;   /* the path of clang */
	const char *options; /* options for clang */
	const char *command; /* the command line; NULL: BPF_CLANG_COMMAND */
	const char *llc;     /* options of llc, which then processes the code */
	const char *kbuild;  /* a kernel's build folder, whose headers are used; "": none */
};

/* The default command line. */
#define BPF_CLANG_COMMAND                                                                          \
	"\"$CLANG_EXEC\" -D__NR_CPUS__=$NR_CPUS -DLINUX_VERSION_CODE=$LINUX_VERSION_CODE "         \
	"-D__TARGET_ARCH_$TARGET_ARCH $CLANG_OPTIONS $KERNEL_INC_OPTIONS $PERF_BPF_INC_OPTIONS "   \
	"-Wno-unused-value -Wno-pointer-sign -Wno-macro-redefined "                                \
	"-working-directory \"$WORKING_DIR\" -c \"$CLANG_SOURCE\" -target bpf $CLANG_EMIT_LLVM "   \
	"-g -O2 -o - $LLVM_OPTIONS_PIPE"

/*
 * Compiles @source and appends the object to @ret. -ENOENT: there is no such source, or no clang;
 * -EINVAL: clang reported an error on standard error. With @diag set.
 */
int bpf_compile(const struct bpf_compiler *c, const char *source, struct bytes *ret,
		struct diag *diag);

struct bpf_header {
	const char *path; /* "uapi/linux/ptrace.h" */
	const char *text;
	size_t size;
};

extern const struct bpf_header bpf_headers[];
extern const size_t bpf_n_headers;
