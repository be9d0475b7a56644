/* SPDX-License-Identifier: MIT */
/*
 * Split debug information in a package (PROGRAM.dwp), by our reader of packages before libdw and by
 * libdw alone: the functions at addresses of a program. Answers: how many addresses have one.
 *
 *     package PROGRAM
 *
 * Needs: libdw
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "dwarf/file.h"
#include "dwarf/units.h"
#include "elf/file.h"
#include "versus.h"

#define STEP 16

struct question {
	const char *program, *package;
	uint64_t start, end; /* of .text */
};

static uint64_t by_us(const void *question)
{
	const struct question *q = question;
	struct elf_file *program, *package;
	struct dwarf_file *dwarf;
	struct dwarf_units *units;
	uint64_t n = 0;

	if (elf_file_open(q->program, &program) < 0 || elf_file_open(q->package, &package) < 0 ||
	    dwarf_file_open(program, &dwarf) < 0)
		return VERSUS_NONE;
	dwarf_file_set_package(dwarf, package);
	units = dwarf_units_new(dwarf);
	for (uint64_t addr = q->start; addr < q->end; addr += STEP) {
		struct dwarf_unit *u = dwarf_units_find(units, addr);
		struct dwarf_scope *s = u ? dwarf_unit_scope(u, addr) : NULL;

		n += s && dwarf_scope_name(s);
	}
	return n;
}

static bool has_function(Dwarf *dwarf, uint64_t addr)
{
	Dwarf_Die unit, split, *scopes = NULL;
	bool found = false;
	uint8_t type;
	int n;

	if (!dwarf_addrdie(dwarf, addr, &unit) ||
	    dwarf_cu_info(unit.cu, NULL, &type, NULL, &split, NULL, NULL, NULL) < 0)
		return false;
	if (type == DW_UT_skeleton && !split.cu)
		return false;
	n = dwarf_getscopes(type == DW_UT_skeleton ? &split : &unit, addr, &scopes);
	for (int i = 0; i < n && !found; i++)
		found = dwarf_tag(&scopes[i]) != DW_TAG_compile_unit && dwarf_diename(&scopes[i]);
	free(scopes);
	return found;
}

static uint64_t by_library(const void *question)
{
	const struct question *q = question;
	Dwarf *dwarf = dwarf_begin(open(q->program, O_RDONLY | O_CLOEXEC), DWARF_C_READ);
	uint64_t n = 0;

	for (uint64_t addr = q->start; dwarf && addr < q->end; addr += STEP)
		n += has_function(dwarf, addr);
	return n ? n : VERSUS_NONE;
}

int main(int argc, char **argv)
{
	struct question q = { 0 };
	struct elf_section text;
	struct elf_file *f;
	char package[4096];

	if (argc != 2 || elf_file_open(argv[1], &f) < 0 ||
	    !elf_file_section_find(f, ".text", &text))
		return EXIT_FAILURE;
	snprintf(package, sizeof(package), "%s.dwp", argv[1]);
	q = (struct question){ argv[1], package, text.addr, text.addr + text.size };
	versus_title("split debug information", "libdw");
	versus("functions at addresses, in a package", by_us, by_library, &q, 1);
	return EXIT_SUCCESS;
}
