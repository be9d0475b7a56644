/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An operand in the assembler's notation, as static probes (SDT) describe their arguments.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum arch_operand_kind {
	OPERAND_CONSTANT, /* @number */
	OPERAND_REGISTER, /* @reg */
	OPERAND_MEMORY,   /* in memory at @reg plus @number */
	OPERAND_VARIABLE, /* the global variable @name, plus @number */
};

struct arch_operand {
	enum arch_operand_kind kind;
	int64_t number;
	char reg[8]; /* the kernel's name for the register, without the sign */
	const char *name;
	size_t name_length;
};

/*
 * Parses the number that ends exactly at @end, where no digit follows. False: there is no such
 * number.
 */
bool operand_number(const char *s, const char *end, int64_t *ret);
