/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Instructions as text, in the manner of objdump: the machine that the code is for decides, not the
 * one this runs on.
 *
 * LLVM does the work, or else capstone; the library is loaded when the first disassembler is made.
 * A disassembler belongs to one thread, and only one may be made at a time. Names of target
 * addresses are added by the caller.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/code-flow.h"
#include "base/cleanup.h"

struct arch;
struct diag;
struct disassembler;

enum disassembler_syntax {
	SYNTAX_ATT, /* the default for x86; other machines have only one syntax */
	SYNTAX_INTEL,
};

/* From the argument of -M; -EINVAL: not known, with @diag. */
int disassembler_syntax_parse(const char *style, enum disassembler_syntax *ret, struct diag *diag);

/* -ENOTSUP: no library is installed, or the machine is not supported; @diag has a hint. */
int disassembler_new(const struct arch *arch, enum disassembler_syntax syntax,
		     struct disassembler **ret, struct diag *diag);
void disassembler_free(struct disassembler *d);
DEFINE_FREEP(disassembler)

#define INSTRUCTION_TEXT_MAX 256

/*
 * An instruction: @text, then, if it names an address, @lead, the address in hexadecimal digits
 * and what is there, then @comment.
 */
struct instruction {
	size_t length;   /* in bytes; at least 1 */
	bool is_unknown; /* no instruction: @text says what the bytes are */
	struct code_flow flow;
	const char *lead; /* static; "" if the address is an operand */
	char text[INSTRUCTION_TEXT_MAX];
	char comment[INSTRUCTION_TEXT_MAX / 4];
};

/* Decodes the first instruction of the @n bytes (at least 1) at address @addr. */
void disassemble(struct disassembler *d, const uint8_t *bytes, size_t n, uint64_t addr,
		 struct instruction *ret);
