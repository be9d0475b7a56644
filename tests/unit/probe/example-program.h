/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A program made in memory, without debug information: functions, another name of one, a label,
 * versions of a function, an ifunc, and data.
 */
#include "elf/built-elf.h"

#define EXAMPLE_TEXT_SIZE 64

/* Stores the program at @path. Returns the offset of its .text in the file, or 0. */
static inline unsigned example_program(const char *path, uint16_t machine)
{
	static const uint8_t code[EXAMPLE_TEXT_SIZE], data[16];
	struct built_elf b;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
	built_add(&b, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, data, sizeof(data));

	uint64_t text = b.sections[1].sh_addr;
	const struct built_symbol symbols[] = {
		{ "first", text, 16, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "first_again", text, 16, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "second@@V_2", text + 16, 16, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "second@V_1", text + 32, 8, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "label", text + 40, 0, STB_LOCAL, STT_NOTYPE, 1, 0 },
		{ "chosen", text + 44, 4, STB_GLOBAL, STT_GNU_IFUNC, 1, 0 },
		{ "twin", text + 48, 4, STB_LOCAL, STT_FUNC, 1, 0 },
		{ "twin", text + 52, 4, STB_LOCAL, STT_FUNC, 1, 0 },
		{ "number", b.sections[2].sh_addr, 8, STB_GLOBAL, STT_OBJECT, 2, 0 },
	};

	built_add_symbols(&b, SHT_SYMTAB, symbols, sizeof(symbols) / sizeof(symbols[0]));
	built_end(&b, machine, ET_DYN);
	return built_store(&b, path) ? (unsigned)b.sections[1].sh_offset : 0;
}
