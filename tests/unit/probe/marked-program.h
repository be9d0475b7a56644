/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A program with markers, made in memory: app:tick at two places, and app:tock.
 */
#include "elf/build-id.h"
#include "elf/built-elf.h"

/* Returns a build-id that consists of @id alone. */
static inline struct build_id marked_id(uint8_t id)
{
	uint8_t bytes[20];

	memset(bytes, id, sizeof(bytes));
	return build_id_make(bytes, sizeof(bytes));
}

/* Stores the program at @path. Returns the offset of its first marker, or 0. */
static inline unsigned marked_program(const char *path, uint8_t id)
{
	static const char *const strings[] = { "app\0tick\000-4@x0 8@x1", "app\0tock\000",
					       "app\0tick\000-4@x3" };
	static const size_t sizes[] = { 20, 10, 15 };
	struct build_id own = marked_id(id);
	struct built_elf b;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123456789abcdef", 16);
	built_add_note(&b, ".note.gnu.build-id", "GNU", NT_GNU_BUILD_ID, own.bytes, own.size);
	built_add_markers(&b, strings, sizes, 3);
	built_end(&b, EM_AARCH64, ET_DYN);
	return built_store(&b, path) ? (unsigned)b.sections[1].sh_offset : 0;
}
