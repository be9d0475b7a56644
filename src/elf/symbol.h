/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A symbol of an ELF file, as elf/symbols.h reads it from any of the tables that have symbols.
 */
#include <stdint.h>

enum elf_symbol_kind {
	ELF_SYMBOL_FUNCTION,
	ELF_SYMBOL_IFUNC, /* an ifunc: returns the function to call (STT_GNU_IFUNC) */
	ELF_SYMBOL_OBJECT,
	ELF_SYMBOL_LABEL, /* has no type, like labels in assembly code */
	/* code that binds functions lazily: the PLT's header, or a stub after .plt.sec */
	ELF_SYMBOL_BINDER,
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
