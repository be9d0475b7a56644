/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The x86 instruction that a branch came from, of which it is known that it branches: only those
 * that do are told apart.
 */
#include <stddef.h>
#include <stdint.h>

/*
 * The length of the branch at @bytes, of which there are @n, in 64-bit code, and its AUX_FLAG_*; 0:
 * it is none, or one that does not end within @n.
 */
size_t branch_insn(const uint8_t *bytes, size_t n, uint32_t *ret_flags);
