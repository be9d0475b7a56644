/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Builds a 64-bit ELF file in memory, in this machine's byte order, with a header and sections: for
 * data that libraries read only from ELF files.
 */
#include <stddef.h>
#include <stdint.h>

struct elf_piece {
	const char *name;
	size_t size;
	size_t offset; /* offset of its bytes in the file; set by elf_image_new() */
};

/* Makes a file with sections for the @n pieces, whose bytes are still zero. The caller frees it. */
uint8_t *elf_image_new(struct elf_piece *pieces, size_t n, uint16_t machine, size_t *ret_size);
