/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A disassembled instruction: its length, its text, and where it leads.
 */
#include <stdbool.h>
#include <stddef.h>

#include "arch/code-flow.h"

enum disassembler_syntax {
	SYNTAX_ATT, /* the default for x86; other machines have only one syntax */
	SYNTAX_INTEL,
};

#define INSTRUCTION_TEXT_MAX 256

/*
 * An instruction: @text, then, if it names an address, @lead, the address in hexadecimal digits and
 * the name of its target, then @comment.
 */
struct instruction {
	size_t length;   /* in bytes; at least 1 */
	bool is_unknown; /* not an instruction: @text shows the bytes */
	struct code_flow flow;
	const char *lead; /* static; "" if the address is an operand */
	char text[INSTRUCTION_TEXT_MAX];
	char comment[INSTRUCTION_TEXT_MAX / 4];
};
