/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Registers under the names that the kernel's probes use (regs_query_register_offset()). Nothing is
 * known about an unknown machine (NULL).
 */
#include <stdbool.h>
#include <stddef.h>

struct arch;

/* Returns "%x0" or "%di" for DWARF's number; NULL: probes cannot read the register. */
const char *arch_probe_register(const struct arch *a, unsigned dwarf_register);

/*
 * Finds DWARF's number of the register that holds a function's parameter @n, counted from 0. False:
 * the parameter is on the stack.
 */
bool arch_argument_register(const struct arch *a, size_t n, unsigned *ret);

/*
 * True if the kernel knows a register called @name, without the sign, or if the machine is unknown.
 * If false, @ret_meant is the kernel's name for it ("ax" for "rax"), or "".
 */
bool arch_probe_knows(const struct arch *a, const char *name, char ret_meant[8]);
