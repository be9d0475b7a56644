/* SPDX-License-Identifier: MIT */
#include "cmd/opt/symbols.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "job/reading.h"

const struct option symbol_file_options[] = {
	OPT_STRING('k', "vmlinux", struct symbol_request, vmlinux, "file",
		   "take kernel symbols from this vmlinux"),
	OPT_STRING(0, "kallsyms", struct symbol_request, kallsyms, "file",
		   "take kernel symbols from this copy of /proc/kallsyms"),
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
		   "show inlined functions as frames (the default where perf unwinds)"),
	OPT_FLAG(0, "full-source-path", struct symbol_request, full_source_path,
		 "source files with their whole path"),
	OPT_FLAG(0, "stitch-lbr", struct symbol_request, stitch_lbr,
		 "join LBR stacks that overlap into longer ones"),
	OPT_END
};

enum inlines symbol_request_inlines(const struct symbol_request *o)
{
	return o->inlines == CHOICE_NO    ? INLINES_NONE
	       : o->inlines == CHOICE_YES ? INLINES_ALL
					  : INLINES_UNWOUND;
}

static int check_file(const char *option, const char *path, struct diag *diag)
{
	if (!path || access(path, R_OK) == 0)
		return 0;
	return diag_set(diag, -errno, "--%s: cannot read '%s': %s", option, path, strerror(errno));
}

int symbol_files_check(const struct reading_symbols *how, struct diag *diag)
{
	int r = check_file("vmlinux", how->request->vmlinux, diag);

	if (r >= 0)
		r = check_file("kallsyms", how->request->kallsyms, diag);
	if (r >= 0)
		r = check_file("guestvmlinux", how->guest_vmlinux, diag);
	if (r >= 0)
		r = check_file("guestkallsyms", how->guest_kallsyms, diag);
	return r;
}
