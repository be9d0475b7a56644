/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Registers as attr.sample_regs_* number them (the kernel's uapi/asm/perf_regs.h), under the names
 * that perf prints.
 */
#include "arch/machine.h"

/* "AX", "x29", "lr"; NULL if the machine has no register of that number. */
const char *arch_register_name(enum machine_type machine, unsigned reg);
