/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Registers under the names that the kernel's probes know them by (regs_query_register_offset()).
 */
#include <stdbool.h>
#include <stddef.h>

#include "arch/machine.h"

/* "%x0", "%di" for DWARF's number; NULL: probes cannot read it. */
const char *arch_probe_register(enum machine_type machine, unsigned dwarf_register);

/*
 * DWARF's number of the register with number @n, from 0, of those that a function's parameters are
 * passed in; false: there are not so many, it is on the stack.
 */
bool arch_argument_register(enum machine_type machine, size_t n, unsigned *ret);

/*
 * Does the kernel know a register called @name, without the sign? True for an unknown machine. If
 * not, *@ret_meant is what it is called ("ax" for "rax"), or NULL.
 */
bool arch_probe_knows(enum machine_type machine, const char *name, const char **ret_meant);
