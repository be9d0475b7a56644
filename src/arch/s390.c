/* SPDX-License-Identifier: MIT */
/* 31-bit and 64-bit IBM Z: only the properties of programs. */
#include <elf.h>

#include "arch/arch.h"

static const struct arch_plt plt = { .header = 32, .entry = 32 };

const struct arch arch_s390 = {
	.elf_machine = EM_S390,
	.plt = &plt,
};
