/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Registers by the numbers of attr.sample_regs_* (the kernel's uapi/asm/perf_regs.h). An unknown
 * machine (NULL) has none.
 */
#include <stdbool.h>
#include <stdint.h>

struct arch;

/*
 * Returns "AX", "x29" or "lr", as perf prints it; NULL if the machine has no register of that
 * number.
 */
const char *arch_register_name(const struct arch *a, unsigned reg);

/* Returns the number of the program counter; UINT_MAX: the machine is unknown. */
unsigned arch_register_pc(const struct arch *a);

/*
 * Finds DWARF's number of @reg; false: it has none. The program counter has none, because DWARF has
 * a return address instead.
 */
bool arch_register_dwarf(const struct arch *a, unsigned reg, unsigned *ret);
