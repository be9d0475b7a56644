/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The symbols of an ELF file that can name an address in a profile: functions, objects and labels
 * that are defined in a section. Mapping symbols ($x, $d), sections and files are left out.
 * Thread-local variables have no address, and are a source of their own.
 */
#include <stdbool.h>
#include <stdint.h>

#include "elf/symbol.h"

struct elf_file;

enum elf_symbol_source {
	ELF_SYMTAB, /* everything, unless the file is stripped */
	ELF_DYNSYM, /* the symbols that other files can see */
	ELF_PLT,    /* stubs of functions of other files: "puts@plt" */
	/* from the full table, thread-local variables: @addr is an offset in the storage */
	ELF_THREAD,
	/* functions that Go's runtime knows, also in stripped programs: elf/go-functions.h */
	ELF_GO,
};

/* Calls @fn for every symbol of @source in the file's order. -ENODATA: there is no such table. */
int elf_symbols_read(struct elf_file *f, enum elf_symbol_source source, elf_symbol_fn *fn,
		     void *arg);

/* True if the file has its full symbol table. */
bool elf_has_symtab(struct elf_file *f);
