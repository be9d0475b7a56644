/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Loads symbols of ELF files into a table.
 */
#include <stdint.h>

#include "elf/file.h"
#include "symbol/table.h"

/*
 * Adds the functions of @symbols at their offsets in @runtime (the same file, or, if @symbols is a
 * debug file, the file that ran), and the dynamic symbols and PLT stubs of @runtime, and settles
 * the table. -ENODATA: there are none.
 */
int elf_load_by_offset(struct elf_file *symbols, struct elf_file *runtime, struct symbol_table *t);

/* Adds the functions of a kernel at their link addresses plus @move. -ENODATA: there are none. */
int elf_load_by_address(struct elf_file *f, uint64_t move, struct symbol_table *t);

/* Finds the link address of the symbol @name; -ENODATA: there is none. */
int elf_symbol_address(struct elf_file *f, const char *name, uint64_t *ret);

/* Adds the functions in .text of a kernel module that was loaded at @start. */
int elf_load_module(struct elf_file *f, uint64_t start, struct symbol_table *t);
