/* SPDX-License-Identifier: MIT */
/*
 * Debug information by our scan of entries and line tables, and by libdw alone: where a function of
 * some name is, and which units have code of a line of a header. Answers: entries; units.
 *
 *     debug-info FILE FUNCTION HEADER
 *
 * Needs: libdw
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "dwarf/debug-info.h"
#include "elf/file.h"
#include "versus.h"

struct question {
	const char *path, *function, *header;
	uint32_t line;
};

static struct debug_info *open_ours(const char *path)
{
	struct elf_file *f;
	struct debug_info *d;

	return elf_file_open_mapped(path, &f) < 0 || debug_info_open(f, NULL, &d) < 0 ? NULL : d;
}

static int count_function(void *arg, const struct debug_function *f)
{
	(void)f;
	++*(uint64_t *)arg;
	return 0;
}

static uint64_t functions_by_us(const void *question)
{
	const struct question *q = question;
	struct debug_info *d = open_ours(q->path);
	uint64_t n = 0;

	if (!d)
		return VERSUS_NONE;
	debug_info_functions(d, q->function, count_function, &n);
	return n;
}

static int count_unit(void *arg, uint64_t unit, const char *path)
{
	(void)unit, (void)path;
	++*(uint64_t *)arg;
	return 0;
}

static uint64_t units_by_us(const void *question)
{
	const struct question *q = question;
	struct debug_info *d = open_ours(q->path);
	uint64_t n = 0;

	if (!d)
		return VERSUS_NONE;
	debug_info_line_units(d, q->header, q->line, count_unit, &n);
	return n;
}

static Dwarf *open_theirs(const char *path)
{
	return dwarf_begin(open(path, O_RDONLY | O_CLOEXEC), DWARF_C_READ);
}

/* Entries of functions that have this name themselves, at any depth; not declarations. */
static uint64_t count_below(Dwarf_Die *parent, const char *name)
{
	uint64_t n = 0;
	Dwarf_Die die;

	for (int r = dwarf_child(parent, &die); r == 0; r = dwarf_siblingof(&die, &die)) {
		if (dwarf_tag(&die) == DW_TAG_subprogram) {
			Dwarf_Attribute a;
			const char *own = dwarf_formstring(dwarf_attr(&die, DW_AT_name, &a));

			n += own && !strcmp(own, name) && !dwarf_hasattr(&die, DW_AT_declaration);
		}
		if (dwarf_haschildren(&die))
			n += count_below(&die, name);
	}
	return n;
}

static uint64_t functions_by_library(const void *question)
{
	const struct question *q = question;
	Dwarf *dwarf = open_theirs(q->path);
	Dwarf_CU *cu = NULL;
	uint64_t n = 0;
	Dwarf_Die die;

	if (!dwarf)
		return VERSUS_NONE;
	while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0)
		n += count_below(&die, q->function);
	return n;
}

static bool has_tail(const char *path, const char *tail)
{
	size_t n = path ? strlen(path) : 0, m = strlen(tail);

	return n > m && path[n - m - 1] == '/' && !strcmp(path + n - m, tail);
}

/* Whether the unit has a row of that line; of any line of the header, which is set, if it is 0. */
static bool has_line(Dwarf_Die *unit, struct question *q)
{
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n) < 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		int number;

		if (dwarf_lineno(l, &number) < 0 || (q->line && (uint32_t)number != q->line) ||
		    !has_tail(dwarf_linesrc(l, NULL, NULL), q->header))
			continue;
		q->line = (uint32_t)number;
		return true;
	}
	return false;
}

static uint64_t units_by_library(const void *question)
{
	struct question q = *(const struct question *)question;
	Dwarf *dwarf = open_theirs(q.path);
	Dwarf_CU *cu = NULL;
	uint64_t n = 0;
	Dwarf_Die die;

	if (!dwarf)
		return VERSUS_NONE;
	while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0)
		n += has_line(&die, &q);
	return n;
}

/* A line of the header that has code somewhere. */
static void choose_line(struct question *q)
{
	Dwarf *dwarf = open_theirs(q->path);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	while (dwarf && !q->line && dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0)
		has_line(&die, q);
	dwarf_end(dwarf);
}

int main(int argc, char **argv)
{
	struct question q;

	if (argc != 4)
		return EXIT_FAILURE;
	q = (struct question){ .path = argv[1], .function = argv[2], .header = argv[3] };
	choose_line(&q);
	versus_title("debug information", "libdw");
	printf("%s: %s(), line %u of %s\n", q.path, q.function, q.line, q.header);
	versus("functions of a name", functions_by_us, functions_by_library, &q, 1);
	versus("units with code of a line", units_by_us, units_by_library, &q, 1);
	return EXIT_SUCCESS;
}
