/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Decodes the x86 instruction of a branch. It is known that the instruction branches, so only kinds
 * of branches are distinguished.
 */
#include <stddef.h>
#include <stdint.h>

/*
 * Returns the length of the branch in the @n bytes at @bytes, in 64-bit code, and its AUX_FLAG_*;
 * 0: it is none, or one that does not end within @n.
 */
size_t branch_insn(const uint8_t *bytes, size_t n, uint32_t *ret_flags);
