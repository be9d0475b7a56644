/* SPDX-License-Identifier: MIT */
#include <elf.h>

#include "arch/syscall/syscall.h"

const char *syscall_abi_name(enum syscall_abi abi)
{
	static const char *const names[SYSCALL_N_ABIS] = {
		[SYSCALL_ABI_X86_64] = "x86_64",
		[SYSCALL_ABI_I386] = "i386",
		[SYSCALL_ABI_AARCH64] = "aarch64",
		[SYSCALL_ABI_ARM] = "arm",
	};

	return abi < SYSCALL_N_ABIS ? names[abi] : NULL;
}

enum syscall_abi syscall_abi_of(unsigned e_machine, bool is_32bit)
{
	switch (e_machine) {
	case EM_X86_64:
		return is_32bit ? SYSCALL_ABI_I386 : SYSCALL_ABI_X86_64;
	case EM_386:
		return SYSCALL_ABI_I386;
	case EM_AARCH64:
		return is_32bit ? SYSCALL_ABI_ARM : SYSCALL_ABI_AARCH64;
	case EM_ARM:
		return SYSCALL_ABI_ARM;
	default:
		return SYSCALL_ABI_NONE;
	}
}
