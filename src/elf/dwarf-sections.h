/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The packed debug sections of an ELF file (SHF_COMPRESSED), unpacked into an ELF file in memory
 * that has nothing else.
 *
 * libdw unpacks all of them, one after the other, before it answers the first question, which is
 * most of the work there is for a small profile. Here those are that lines and functions need, on
 * several CPUs at once.
 */
struct elf_file;

/*
 * -ENODATA: nothing is packed; -ENOTSUP: in a way, or a file, that is left to libdw; -EBADMSG: it
 * is damaged. The result does not need @f.
 */
int elf_unpack_dwarf(struct elf_file *f, struct elf_file **ret);
