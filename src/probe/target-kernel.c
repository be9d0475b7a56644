/* SPDX-License-Identifier: MIT */
/*
 * Opens the kernel: a vmlinux for its debug information, and the running kernel's list of symbols.
 */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/memory.h"
#include "elf/file.h"
#include "kernel/kernel-notes.h"
#include "probe/target-internal.h"

static int target_kernel_open_vmlinux(struct probe_target *t, struct diag *diag)
{
	const char *path = t->options.vmlinux;
	int r = elf_file_open_mapped(path, &t->elf);

	if (r == -ENOEXEC)
		return diag_set(diag, r, "'%s' is not a vmlinux: it is not an ELF file", path);
	if (r < 0)
		return diag_set(diag, r, "cannot read the vmlinux '%s': %s", path, strerror(-r));
	t->arch = arch_of_elf(elf_file_machine(t->elf));
	t->file = xstrdup(path);
	(void)elf_file_build_id(t->elf, &t->id);
	return 0;
}

int target_open_kernel(struct probe_target *t, struct diag *diag)
{
	t->kind = PROBE_KERNEL;
	t->arch = arch_host();
	if (t->options.vmlinux)
		return target_kernel_open_vmlinux(t, diag);
	(void)build_id_of_kernel(&t->id);
	return 0;
}
