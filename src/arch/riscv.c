/* SPDX-License-Identifier: MIT */
/* 32-bit and 64-bit RISC-V: only the properties of programs. */
#include <elf.h>

#include "arch/arch.h"

static const struct arch_plt plt = { .header = 32, .entry = 16 };

const struct arch arch_riscv = {
	.elf_machine = EM_RISCV,
	.has_mapping_symbols = true,
	.plt = &plt,
};
