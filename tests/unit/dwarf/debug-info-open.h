/* SPDX-License-Identifier: MIT */
#pragma once
/* The program of dwarf-elf.h, opened for lookups by name. */
#include "dwarf/debug-info.h"
#include "dwarf-elf.h"
#include "elf/file.h"

struct opened_info {
	struct built_elf elf;
	struct debug_info *info;
	uint64_t text;
};

static inline void debug_info_open_built(struct opened_info *o, const struct dwarf_change *c,
					 const char *index)
{
	struct elf_file *f;

	dwarf_build(&o->elf, c);
	o->text = dwarf_text_addr(&o->elf);
	assert_int_equal(elf_file_open_memory(o->elf.bytes, o->elf.size, &f), 0);
	assert_int_equal(debug_info_open(f, index, &o->info), 0);
}
