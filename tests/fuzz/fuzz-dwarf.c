/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the source information of ELF files: reading ends; rows are in order, and the row of an
 * address begins at or before it; chains of inlined functions end in a function that is not
 * inlined; a repeated lookup returns the same answer.
 */
#include <stdlib.h>
#include <string.h>

#include "dwarf/file.h"
#include "dwarf/package.h"
#include "dwarf/units.h"
#include "elf/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define QUESTIONS_MAX 512
#define CHAIN_MAX     1000

static void check_scopes(struct dwarf_unit *u, uint64_t addr)
{
	struct dwarf_scope *s = dwarf_unit_scope(u, addr);
	unsigned n = 0;

	for (; s; s = s->caller) {
		const char *name = dwarf_scope_name(s);

		if (++n > CHAIN_MAX || (name && strlen(name) > SIZE_MAX / 2))
			abort();
		if (!s->caller && (addr < s->start || addr >= s->end))
			abort();
	}
}

static void check_rows(struct dwarf_unit *u, uint64_t start, uint64_t end)
{
	const struct dwarf_row *rows = NULL;
	size_t n = dwarf_unit_rows(u, start, end, &rows);

	for (size_t i = 0; i < n; i++) {
		if (i && rows[i].addr <= rows[i - 1].addr)
			abort();
		if (rows[i].file && strlen(rows[i].file) > SIZE_MAX / 2)
			abort();
	}
}

static void ask(struct dwarf_units *units, uint64_t addr)
{
	struct dwarf_unit *u = dwarf_units_find(units, addr);
	const struct dwarf_row *row = u ? dwarf_unit_row(u, addr) : NULL;

	if (!u)
		return;
	if (row && row->addr > addr)
		abort();
	check_scopes(u, addr);
	if (dwarf_units_find(units, addr) != u || dwarf_unit_row(u, addr) != row)
		abort();
}

/* Makes every lookup in the DWARF of the file, and closes it. */
static void ask_file(struct elf_file *f)
{
	_cleanup_(dwarf_file_freep) struct dwarf_file *d = NULL;
	_cleanup_(dwarf_units_freep) struct dwarf_units *units = NULL;
	struct dwarf_unit *u;
	uint64_t at = 0, end;

	if (dwarf_file_open(f, &d) < 0)
		return;
	units = dwarf_units_new(d);
	for (unsigned n = 0; n < 16 && (u = dwarf_units_next(units, &at, UINT64_MAX, &end));
	     n++, at = end) {
		for (uint64_t i = 0; i < end - at && i < QUESTIONS_MAX; i += 2)
			ask(units, at + i);
		check_rows(u, at, end);
	}
}

/* Looks up the first unit of a package as if the package were its own program. */
static void ask_package(struct elf_file *f)
{
	struct dwarf_skeleton skeleton = { .addr_base = 8 };
	struct elf_section s;
	struct elf_file *unit;
	size_t index = elf_file_section_find(f, ".debug_cu_index", &s), n = 0, size;
	const uint8_t *bytes = index ? elf_file_section_bytes(f, index, &n) : NULL;
	uint8_t *made;

	for (size_t at = 16; bytes && at + 8 <= n && at < 16 + 8 * 8; at += 8) {
		memcpy(&skeleton.id, bytes + at, 8);
		if (dwarf_package_unit(f, f, &skeleton, &made, &size) < 0)
			continue;
		if (elf_file_take_memory(made, size, &unit) < 0)
			abort();
		ask_file(unit);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) uint8_t *copy = malloc(size + 1);
	struct elf_file *f;

	memcpy(copy, data, size);
	if (elf_file_open_memory(copy, size, &f) < 0)
		return 0;
	ask_package(f);
	ask_file(f);
	return 0;
}
