/* SPDX-License-Identifier: MIT */
#pragma once
/* Rules of the program of dwarf/leaf-elf.h, and of variants that tests make of it. */
#include "elf/file.h"
#include "dwarf/unwind/cfi-rules.h"
#include "leaf-elf.h"

#define SP 31
#define LR 30

static struct built_elf built;

static inline struct cfi_rules *rules_of(const void *bytes, size_t size)
{
	struct elf_file *f = NULL;

	assert_int_equal(elf_file_open_memory(bytes, size, &f), 0);
	return cfi_rules_new(f);
}

/* Returns the rules of the unchanged program, with its CFI. */
static inline struct cfi_rules *example(uint64_t *ret_text)
{
	*ret_text = leaf_elf_build(&built, ".eh_frame");
	return rules_of(built.bytes, built.size);
}
