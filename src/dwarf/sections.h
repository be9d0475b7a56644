/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Decompresses the debug sections of an ELF file (SHF_COMPRESSED) into an ELF file in memory that
 * has only these.
 *
 * libdw decompresses all of them, one after the other, before it answers the first question, which
 * is most of the work for a small profile. Here only those that the caller needs are decompressed,
 * on several CPUs at once.
 */
struct elf_file;

enum dwarf_use {
	DWARF_FOR_LINES,     /* and for functions */
	DWARF_FOR_VARIABLES, /* the same, and for the locations of variables */
};

/*
 * -ENODATA: nothing is compressed; -ENOTSUP: leave it to libdw; -EBADMSG: it is damaged. The result
 * does not need @f.
 */
int elf_unpack_dwarf(struct elf_file *f, enum dwarf_use use, struct elf_file **ret);
