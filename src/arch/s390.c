/* SPDX-License-Identifier: MIT */
/* IBM Z, of 31 and 64 bits: only what programs look like. */
#include <elf.h>

#include "arch/arch.h"

static const struct arch_plt plt = { .header = 32, .entry = 32 };

const struct arch arch_s390 = {
	.elf_machine = EM_S390,
	.plt = &plt,
};
