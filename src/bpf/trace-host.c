/* SPDX-License-Identifier: MIT */
#include "bpf/trace-host.h"

#include <errno.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/syscall/syscall.h"
#include "base/diag.h"

static int need_btf(struct diag *diag)
{
	if (access("/sys/kernel/btf/vmlinux", R_OK) >= 0)
		return 0;
	diag_set(diag, -EOPNOTSUPP, "this kernel has no type information (BTF) for BPF programs");
	diag_hint(diag, "It needs CONFIG_DEBUG_INFO_BTF.");
	return -EOPNOTSUPP;
}

int trace_host_abis(uint8_t ret[2], struct diag *diag)
{
	const struct arch *arch = arch_host();

	for (int is_32bit = 0; is_32bit < 2; is_32bit++)
		ret[is_32bit] = arch ? (uint8_t)syscall_abi_of(arch->elf_machine, is_32bit)
				     : SYSCALL_ABI_NONE;
	if (ret[0] == SYSCALL_ABI_NONE)
		return diag_set(diag, -EOPNOTSUPP,
				"BPF programs do not know the system calls of this machine");
	return need_btf(diag);
}
