/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A program of two functions, first() and second(), as a file:
 *
 *	first:   mov w0, w1; cbz w0, second; ret
 *	second:  b second; nop; nop
 */
#include <elf.h>

#include "elf/built-elf.h"
#include "scratch.h"
#include "symbol/symbolizer.h"

#define EXAMPLE_NAME "/bin/made"

/* Code begins at the first multiple of 16 behind the headers. */
#define EXAMPLE_TEXT ((sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 15) & ~(size_t)15)
#define EXAMPLE_SIZE 12

static const uint8_t example_code[] = {
	0xe0, 0x03, 0x01, 0x2a, 0x40, 0x00, 0x00, 0x34, 0xc0, 0x03, 0x5f, 0xd6,
	0x00, 0x00, 0x00, 0x14, 0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5,
};

static inline void example_store(const char *dir, const char *name, uint16_t machine, uint16_t type)
{
	_cleanup_(freep) char *path = scratch_path(dir, name);
	uint64_t base = type == ET_REL ? 0 : BUILT_BASE + EXAMPLE_TEXT;
	const struct built_symbol symbols[] = {
		{ "first", base, EXAMPLE_SIZE, STB_GLOBAL, STT_FUNC, 1, STV_DEFAULT },
		{ "second", base + EXAMPLE_SIZE, EXAMPLE_SIZE, STB_GLOBAL, STT_FUNC, 1,
		  STV_DEFAULT },
	};
	struct built_elf b;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, example_code,
		  sizeof(example_code));
	built_add_symbols(&b, SHT_SYMTAB, symbols, 2);
	built_end(&b, machine, type);
	assert_true(built_store(&b, path));
}

static inline struct image *example_image(struct symbolizer *s)
{
	return symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_USER, .name = EXAMPLE_NAME, .pid = 1 });
}
