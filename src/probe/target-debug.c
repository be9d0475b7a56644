/* SPDX-License-Identifier: MIT */
/* Finds the debug information of a target, and explains what to do if there is none. */
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/diag.h"
#include "base/memory.h"
#include "dwarf/file.h"
#include "elf/file.h"
#include "elf/symbols.h"
#include "probe/target-internal.h"
#include "symbol/buildid/debug-package.h"
#include "symbol/kernel-debug.h"
#include "symbol/kernel-symbols.h"
#include "symbol/source-find.h"

static int target_debug_find_kernel(struct probe_target *t, struct source_parts *ret)
{
	struct symbolizer_options o = {
		.symfs = t->options.symfs,
		.buildid_dir = t->options.buildid_dir,
		.vmlinux = t->options.vmlinux,
		.progress = t->options.progress,
	};
	struct utsname host;
	struct kernel_request r = {
		.options = &o,
		.build_id = t->id,
		.release = uname(&host) < 0 ? NULL : host.release,
	};
	struct source_parts parts = { 0 };
	int e = kernel_debug_find(&r, &parts.dwarf, &parts.path);

	if (e >= 0)
		*ret = parts;
	return e;
}

int target_find_debug(struct probe_target *t, struct source_parts *ret)
{
	if (t->kind == PROBE_KERNEL)
		return target_debug_find_kernel(t, ret);
	return source_parts_find(t->image, ret);
}

void target_hint_package(const char *path, struct diag *diag)
{
	_cleanup_(freep) char *command = debug_package_command(path);
	const char *server = debug_package_server();

	if (command)
		diag_hint(diag, "Its debug symbols: %s", command);
	else
		diag_hint(diag, "Compile it with -g, and do not strip it");
	if (command && server)
		diag_hint(diag, "Or set DEBUGINFOD_URLS=%s to fetch them", server);
}

static void hint_kernel(struct diag *diag)
{
	const char *server = debug_package_server();
	struct utsname host;

	if (uname(&host) < 0)
		return;
	diag_hint(diag,
		  "Install it: apt install linux-image-%s-dbg, or dnf debuginfo-install kernel",
		  host.release);
	if (server)
		diag_hint(diag, "Or set DEBUGINFOD_URLS=%s to fetch it", server);
	diag_hint(diag, "Or name a vmlinux of this kernel: perf probe -k /path/to/vmlinux ...");
}

int target_explain_no_debug(struct probe_target *t, struct diag *diag)
{
	if (t->kind == PROBE_KERNEL && t->options.vmlinux)
		return diag_set(diag, -ENODATA, "the file %s has no debug information", t->file);
	if (t->kind == PROBE_KERNEL) {
		diag_set(diag, -ENODATA, "there is no debug information for this kernel");
		hint_kernel(diag);
	} else if (t->kind == PROBE_MODULE) {
		diag_set(diag, -ENODATA, "there is no debug information for the module %s",
			 t->name);
		hint_kernel(diag);
	} else {
		diag_set(diag, -ENODATA, "the file %s has no debug information", t->name);
		target_hint_package(t->name, diag);
	}
	return -ENODATA;
}

void probe_target_hint_stripped(struct probe_target *t, struct diag *diag)
{
	_cleanup_(diag_done) struct diag unused = { 0 };
	struct debug_info *info;

	if (t->kind != PROBE_PROGRAM || elf_has_symtab(t->elf) ||
	    probe_target_debug(t, &info, &unused) >= 0)
		return;
	diag_hint(diag, "%s is stripped: only its exported functions have names", t->name);
	target_hint_package(t->name, diag);
}
