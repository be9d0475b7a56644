/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The symbols of an ELF file that can name an address in a profile: functions, objects and labels
 * that are defined in a section. Mapping symbols ($x, $d), sections and files are left out.
 * Thread-local variables have no address, and are a source of their own.
 */
#include <stdbool.h>
#include <stdint.h>

struct elf_file;

enum elf_symbol_source {
	ELF_SYMTAB, /* everything, if the file is not stripped */
	ELF_DYNSYM, /* what other files can see */
	ELF_PLT,    /* stubs of functions of other files: "puts@plt" */
	ELF_THREAD, /* of the full table, thread-local variables: @addr is an offset in the storage
		     */
	ELF_GO,     /* what Go's runtime knows, in stripped programs, too: elf/go-functions.h */
};

enum elf_symbol_kind {
	ELF_SYMBOL_FUNCTION,
	ELF_SYMBOL_IFUNC, /* an ifunc: returns the function to call (STT_GNU_IFUNC) */
	ELF_SYMBOL_OBJECT,
	ELF_SYMBOL_LABEL,  /* has no type, as labels in assembly code */
	ELF_SYMBOL_BINDER, /* code that binds functions lazily: the PLT's header, or a stub behind
			      .plt.sec */
};

struct elf_symbol {
	uint64_t addr;    /* link address; in a relocatable file (ET_REL) an offset in @section */
	uint64_t size;    /* 0: unknown */
	const char *name; /* valid until the callback returns */
	uint32_t section;
	char binding; /* 'g' global, 'l' local, 'w' weak, 'u' unique */
	enum elf_symbol_kind kind;
};

typedef void elf_symbol_fn(const struct elf_symbol *s, void *arg);

/* Calls @fn for every symbol of @source in the file's order. -ENODATA: there is no such table. */
int elf_symbols_read(struct elf_file *f, enum elf_symbol_source source, elf_symbol_fn *fn,
		     void *arg);

/* Does the file have its full symbol table? */
bool elf_has_symtab(struct elf_file *f);
