/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Registers as attr.sample_regs_* number them (the kernel's uapi/asm/perf_regs.h), under the names
 * that perf prints.
 */
#include <stdbool.h>

#include "arch/machine.h"

/* "AX", "x29", "lr"; NULL if the machine has no register of that number. */
const char *arch_register_name(enum machine_type machine, unsigned reg);

/* The number of the program counter; UINT_MAX: the machine is unknown. */
unsigned arch_register_pc(enum machine_type machine);

/*
 * The number that DWARF gives to @reg; false: none, as to the program counter, whose place is
 * DWARF's return address.
 */
bool arch_register_dwarf(enum machine_type machine, unsigned reg, unsigned *ret);
