/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The debug information of an ELF file, open through libdw.
 *
 * A relocatable file (a kernel module) is first laid out and relocated, so that its sections have
 * addresses. The file that dwz made for several debug files is read, too, once dwarf_file_set_alt()
 * has set it. One thread at a time. Without libdw everything fails with -ENOTSUP.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"

struct Dwarf;
struct dwarf_file;
struct elf_file;

/* True if the file itself contains debug information. Looks only at its section headers. */
bool elf_has_dwarf(struct elf_file *f);

/*
 * Opens the debug information, and takes ownership of @file, also on failure. If it was opened over
 * memory, that must be writable: libelf changes the headers of sections that it decompresses.
 * -ENODATA: there is no debug information; -EBADMSG: it cannot be read.
 */
int dwarf_file_open(struct elf_file *file, struct dwarf_file **ret);

/* Does the same, and also decompresses the sections with the locations of variables. */
int dwarf_file_open_for_variables(struct elf_file *file, struct dwarf_file **ret);
void dwarf_file_free(struct dwarf_file *f);
DEFINE_FREEP(dwarf_file)

/* Sets @alt, the file that elf_debug_alt_link() names, and takes ownership of it. */
void dwarf_file_set_alt(struct dwarf_file *f, struct elf_file *alt);

/*
 * Sets @package, which has the split units of the file (dwarf/package.h), and takes ownership of
 * it.
 */
void dwarf_file_set_package(struct dwarf_file *f, struct elf_file *package);

/* Returns the package, or NULL. */
struct elf_file *dwarf_file_package(struct dwarf_file *f);

/* Returns libdw's own handle, for the rest of this layer. */
struct Dwarf *dwarf_file_handle(struct dwarf_file *f);

/* Returns the file that was passed to dwarf_file_open(). */
struct elf_file *dwarf_file_elf(struct dwarf_file *f);

/* Returns the address of .text in a relocatable file; 0 for others. */
uint64_t dwarf_file_text(const struct dwarf_file *f);

/*
 * Decompresses the debug sections of an ELF file (SHF_COMPRESSED) into an ELF file in memory that
 * has only these.
 *
 * libdw decompresses all of them, one after the other, before it answers the first query, which is
 * most of the work for a small profile. Here only those that the caller needs are decompressed, on
 * several CPUs at once.
 */

enum dwarf_use {
	DWARF_FOR_LINES,     /* for lines and functions */
	DWARF_FOR_VARIABLES, /* the same, and for the locations of variables */
};

/*
 * Decompresses the sections. -ENODATA: nothing is compressed; -ENOTSUP: leave it to libdw;
 * -EBADMSG: it is damaged. The result does not need @f.
 */
int elf_unpack_dwarf(struct elf_file *f, enum dwarf_use use, struct elf_file **ret);
