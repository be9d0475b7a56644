/* SPDX-License-Identifier: MIT */
#pragma once
/* The program of dwarf-elf.h, opened. */
#include "dwarf-elf.h"
#include "dwarf/file.h"
#include "dwarf/units.h"
#include "elf/file.h"

struct opened {
	struct built_elf elf;
	struct dwarf_file *file;
	struct dwarf_units *units;
	uint64_t text;
};

static inline void dwarf_open_built(struct opened *o, const struct dwarf_change *c)
{
	struct elf_file *f;

	dwarf_build(&o->elf, c);
	o->text = dwarf_text_addr(&o->elf);
	assert_int_equal(elf_file_open_memory(o->elf.bytes, o->elf.size, &f), 0);
	assert_int_equal(dwarf_file_open(f, &o->file), 0);
	o->units = dwarf_units_new(o->file);
}

static inline void dwarf_close_built(struct opened *o)
{
	dwarf_units_free(o->units);
	dwarf_file_free(o->file);
}
