/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A DWARF package (PROGRAM.dwp): the split parts of many units in one file, each known by the
 * number that its skeleton in the program has too.
 *
 * libdw reads split units from files of their own, and packages only since 0.191. So the sections
 * of a unit are put together again, under the names they would have in a program, and its
 * addresses, which stay in the program, with them: a small ELF file in memory that anybody can
 * read.
 */
#include <stddef.h>
#include <stdint.h>

struct elf_file;

/* What the skeleton of a unit says about it. */
struct dwarf_skeleton {
	uint64_t id;
	uint64_t addr_base; /* where its part of .debug_addr begins */
};

/*
 * Makes an ELF file of the unit in @package that belongs to @s of @program. The caller frees its
 * bytes. -ENODATA: it is not there; -EBADMSG: the package is damaged; -ENOTSUP: it is of a kind
 * that has not been seen (32 bits, the other byte order, packed sections).
 */
int dwarf_package_unit(struct elf_file *package, struct elf_file *program,
		       const struct dwarf_skeleton *s, uint8_t **ret, size_t *ret_size);
