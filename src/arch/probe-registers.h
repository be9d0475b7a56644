/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Registers under the names that the kernel's probes know them by (regs_query_register_offset()).
 * Of an unknown machine (NULL) nothing is known.
 */
#include <stdbool.h>
#include <stddef.h>

struct arch;

/* "%x0", "%di" for DWARF's number; NULL: probes cannot read it. */
const char *arch_probe_register(const struct arch *a, unsigned dwarf_register);

/*
 * DWARF's number of the register in which a function's parameter @n, from 0, is passed; false: it
 * is passed on the stack.
 */
bool arch_argument_register(const struct arch *a, size_t n, unsigned *ret);

/*
 * Does the kernel know a register called @name, without the sign? True for an unknown machine. If
 * not, @ret_meant is what it is called there ("ax" for "rax"), or "".
 */
bool arch_probe_knows(const struct arch *a, const char *name, char ret_meant[8]);
