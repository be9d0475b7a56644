/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A DWARF package (PROGRAM.dwp): the split parts of many units in one file, each identified by the
 * number (dwo_id) of its skeleton in the program.
 *
 * libdw reads packages only since version 0.191. Therefore the sections of a unit, and its
 * addresses, which are in the program, are combined under their usual names in a small ELF file in
 * memory, which any libdw can read.
 */
#include <stddef.h>
#include <stdint.h>

struct elf_file;

/* The data of a unit's skeleton. */
struct dwarf_skeleton {
	uint64_t id;
	uint64_t addr_base; /* start of its part of .debug_addr */
};

/*
 * Makes an ELF file of the unit in @package whose skeleton in @program is @s. The caller frees its
 * bytes. -ENODATA: there is none; -EBADMSG: the package is damaged; -ENOTSUP: the package is of a
 * kind that is not supported (32 bits, the other byte order, compressed sections).
 */
int dwarf_package_unit(struct elf_file *package, struct elf_file *program,
		       const struct dwarf_skeleton *s, uint8_t **ret, size_t *ret_size);
