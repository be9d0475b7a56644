/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A function (or object) of an image. A plain value; names belong to the image's table.
 */
#include <stdbool.h>
#include <stdint.h>

struct symbol {
	uint64_t start, end; /* in the image's address space; end is exclusive */
	const char *name;    /* demangled, unless switched off */
	char binding;        /* 'g' global, 'l' local, 'w' weak, 'u' unique */
	bool is_inlined;     /* an inlined function, which has no address: symbol/source.h */
	bool is_guessed;     /* its size is unknown: @end is the beginning of the next symbol */
	bool is_pretty;      /* internal to the table: @name is demangled */
	uint32_t number;     /* internal to the table: its number in the order of adding */
};

/* Returns its binding with ELF's number: STB_GLOBAL and so on. */
static inline unsigned char symbol_elf_binding(const struct symbol *s)
{
	switch (s->binding) {
	case 'g':
		return 1;
	case 'w':
		return 2;
	case 'u':
		return 10;
	default:
		return 0;
	}
}
