/* SPDX-License-Identifier: MIT */
#include "arch/access.h"

#include "arch/aarch64-effect.h"
#include "arch/arch.h"

/* rax, rdx, rcx, rsi, rdi and r8 to r11, by DWARF's numbers. */
#define X86_CLOBBERED 0x0f37u
/* x0 to x18 and the link register. */
#define AARCH64_CLOBBERED 0x4007ffffu

bool code_access_knows(const struct arch *a)
{
	return a == &arch_x86_64 || a == &arch_aarch64;
}

uint32_t code_access_clobbered(const struct arch *a)
{
	return a == &arch_x86_64 ? X86_CLOBBERED : AARCH64_CLOBBERED;
}

bool code_access_read(const struct arch *a, const uint8_t *bytes, size_t n, uint64_t addr,
		      struct code_access *ret)
{
	if (a == &arch_x86_64)
		return x86_access_read(bytes, n, addr, ret);
	return a == &arch_aarch64 && n >= AARCH64_INSTRUCTION_SIZE &&
	       aarch64_access_read(aarch64_instruction(bytes), addr, ret);
}
