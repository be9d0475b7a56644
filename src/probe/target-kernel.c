/* SPDX-License-Identifier: MIT */
/* The kernel: a vmlinux for its debug information, and the running one's list of symbols. */
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "arch/machine.h"
#include "base/diag.h"
#include "base/memory.h"
#include "elf/elf-file.h"
#include "kernel/kernel-notes.h"
#include "probe/target-internal.h"

static uint16_t host_machine(void)
{
	switch (machine_host()) {
	case MACHINE_AARCH64:
		return EM_AARCH64;
	case MACHINE_X86_64:
		return EM_X86_64;
	default:
		return EM_NONE;
	}
}

static int open_vmlinux(struct probe_target *t, struct diag *diag)
{
	const char *path = t->options.vmlinux;
	int r = elf_file_open_mapped(path, &t->elf);

	if (r == -ENOEXEC)
		return diag_set(diag, r, "'%s' is no vmlinux: it is no ELF file", path);
	if (r < 0)
		return diag_set(diag, r, "cannot read the vmlinux '%s': %s", path, strerror(-r));
	t->machine = elf_file_machine(t->elf);
	t->file = xstrdup(path);
	(void)elf_file_build_id(t->elf, &t->id);
	return 0;
}

int target_open_kernel(struct probe_target *t, struct diag *diag)
{
	t->kind = PROBE_KERNEL;
	t->machine = host_machine();
	if (t->options.vmlinux)
		return open_vmlinux(t, diag);
	(void)build_id_of_kernel(&t->id);
	return 0;
}
