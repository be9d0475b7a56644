/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A 64-bit ELF file made in memory, of this machine's byte order: a header and sections, for what
 * libraries read only out of such files.
 */
#include <stddef.h>
#include <stdint.h>

struct elf_piece {
	const char *name;
	size_t size;
	size_t offset; /* where in the file its bytes belong; set by elf_image_new() */
};

/* A file with sections for the @n pieces, whose bytes are still zero. The caller frees it. */
uint8_t *elf_image_new(struct elf_piece *pieces, size_t n, uint16_t machine, size_t *ret_size);
