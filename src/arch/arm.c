/* SPDX-License-Identifier: MIT */
/* 32-bit Arm: only the properties of programs. */
#include <elf.h>

#include "arch/arch.h"

static const struct arch_plt plt = { .header = 20, .entry = 12 };

const struct arch arch_arm = {
	.elf_machine = EM_ARM,
	.has_mapping_symbols = true,
	.plt = &plt,
};
