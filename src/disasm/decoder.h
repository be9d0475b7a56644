/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A library that decodes instructions, behind disasm/disassembler.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disasm_target;

struct decoder_type {
	/* NULL: the library is not installed, or does not know the machine. */
	void *(*make)(const struct disasm_target *t, bool intel);
	void (*free)(void *decoder);
	/*
	 * Writes the instruction that begins @bytes as "name\toperands". Distances of branches are
	 * in there as the library likes. Returns its length; 0: it is none.
	 */
	size_t (*decode)(void *decoder, const uint8_t *bytes, size_t n, uint64_t addr, char *text,
			 size_t room);
};

extern const struct decoder_type decoder_llvm, decoder_capstone;
