/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The packed debug sections of an ELF file (SHF_COMPRESSED), unpacked into an ELF file in memory
 * that has nothing else.
 *
 * libdw unpacks all of them, one after the other, before it answers the first question, which is
 * most of the work there is for a small profile. Here those are that the caller needs, on several
 * CPUs at once.
 */
struct elf_file;

enum dwarf_use {
	DWARF_FOR_LINES,     /* and for functions */
	DWARF_FOR_VARIABLES, /* for all of that, and where variables are */
};

/*
 * -ENODATA: nothing is packed; -ENOTSUP: in a way, or a file, that is left to libdw; -EBADMSG: it
 * is damaged. The result does not need @f.
 */
int elf_unpack_dwarf(struct elf_file *f, enum dwarf_use use, struct elf_file **ret);
