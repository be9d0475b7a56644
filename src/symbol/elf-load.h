/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Symbols out of ELF files into a table.
 */
#include <stdint.h>

#include "elf/file.h"
#include "symbol/table.h"

/*
 * Adds the functions of @symbols at their offsets in @runtime (the same file, or the one that was
 * run when @symbols is its debug file), the visible ones and call stubs of @runtime too, and
 * settles. -ENODATA: there are none.
 */
int elf_load_by_offset(struct elf_file *symbols, struct elf_file *runtime, struct symbol_table *t);

/* Adds the functions of a kernel at their link addresses plus @move. -ENODATA: there are none. */
int elf_load_by_address(struct elf_file *f, uint64_t move, struct symbol_table *t);

/* The link address of the symbol @name; -ENODATA: there is none. */
int elf_symbol_address(struct elf_file *f, const char *name, uint64_t *ret);

/* Adds the functions in .text of a kernel module, which was loaded at @start. */
int elf_load_module(struct elf_file *f, uint64_t start, struct symbol_table *t);
