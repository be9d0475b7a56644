/* SPDX-License-Identifier: MIT */
/* RISC-V, of 32 and 64 bits: only what programs look like. */
#include <elf.h>

#include "arch/arch.h"

static const struct arch_plt plt = { .header = 32, .entry = 16 };

const struct arch arch_riscv = {
	.elf_machine = EM_RISCV,
	.has_mapping_symbols = true,
	.plt = &plt,
};
