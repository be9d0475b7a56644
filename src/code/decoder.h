/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A library that decodes instructions, for code/disassembler.c.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disasm_target;

struct decoder_type {
	/* Makes a decoder. NULL: the library is not installed, or does not support the machine. */
	void *(*make)(const struct disasm_target *t, bool intel);
	void (*free)(void *decoder);
	/*
	 * Writes the first instruction in @bytes as "name\toperands"; the format of branch targets
	 * depends on the library. Returns its length; 0: it is not a valid instruction.
	 */
	size_t (*decode)(void *decoder, const uint8_t *bytes, size_t n, uint64_t addr, char *text,
			 size_t room);
};

extern const struct decoder_type decoder_llvm, decoder_capstone;
