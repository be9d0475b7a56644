/* SPDX-License-Identifier: MIT */
/* Programs of 32-bit x86. A recording made on such a machine counts as one of x86_64. */
#include <elf.h>

#include "arch/arch.h"
#include "arch/x86.h"

static const struct arch_plt plt = { .header = 16, .entry = 16 };

const struct arch arch_i386 = {
	.elf_machine = EM_386,
	.plt = &plt,
	.sdt_operand = x86_sdt_operand,
	.kvm_isa = kvm_isa_of_vendor,
};
