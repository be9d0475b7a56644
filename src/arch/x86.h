/* SPDX-License-Identifier: MIT */
#pragma once
/* The code that 32-bit x86 shares with x86_64. */
#include <stdbool.h>
#include <stddef.h>

struct arch_operand;

/* Parses $5, %rax, -8(%rbp), name(%rip): struct arch.sdt_operand. */
bool x86_sdt_operand(const char *s, size_t n, struct arch_operand *ret);
