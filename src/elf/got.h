/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The global offset table (.got): words that hold the addresses of variables once the dynamic
 * linker has relocated the file, and that do not change afterwards.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct elf_file;
struct elf_got;

enum got_kind {
	GOT_ADDRESS, /* the link address @value */
	GOT_SYMBOL,  /* the address of @name, which another file defines */
	GOT_THREAD,  /* the start of the file's thread-local storage, plus @value */
};

struct got_entry {
	enum got_kind kind;
	uint64_t value;
	const char *name; /* borrowed from the file */
};

/* Reads the table of @f, which must outlive the result. A file without a table has no words. */
struct elf_got *elf_got_read(struct elf_file *f);
void elf_got_free(struct elf_got *g);
DEFINE_FREEP(elf_got)

/* Gives the contents of the word at link address @addr; false: it is not in the table. */
bool elf_got_find(const struct elf_got *g, uint64_t addr, struct got_entry *ret);
