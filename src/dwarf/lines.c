/* SPDX-License-Identifier: MIT */
/*
 * The line table of a unit as rows by address, one for each address: if several rows have the same
 * address, the last one counts.
 */
#include "dwarf/units.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "dwarf/unit.h"

void dwarf_unit_rows_done(struct dwarf_unit *u)
{
	free(u->rows);
	u64_map_done(&u->joined);
	arena_done(&u->paths);
}

static const char *lines_join(struct dwarf_unit *u, const char *path)
{
	Dwarf_Attribute a;
	const char *directory = dwarf_formstring(dwarf_attr(&u->die, DW_AT_comp_dir, &a));
	size_t n = directory ? strlen(directory) : 0, size = strlen(path) + 1;

	if (!n)
		return path;

	char *joined = arena_alloc(&u->paths, n + 1 + size);

	memcpy(joined, directory, n);
	joined[n] = '/';
	memcpy(joined + n + 1, path, size);
	return joined;
}

const char *dwarf_unit_path(struct dwarf_unit *u, const char *path)
{
	const char *joined;

	if (!path || *path == '/')
		return path;
	joined = u64_map_find(&u->joined, (uintptr_t)path);
	if (!joined) {
		joined = lines_join(u, path);
		u64_map_put(&u->joined, (uintptr_t)path, (void *)joined);
	}
	return joined;
}

static bool lines_row_of(struct dwarf_unit *u, Dwarf_Line *line, struct dwarf_row *ret)
{
	Dwarf_Addr addr;
	bool ends, is_stmt;
	int number;

	if (!line || dwarf_lineaddr(line, &addr) != 0 || dwarf_lineendsequence(line, &ends) != 0 ||
	    dwarf_lineno(line, &number) != 0 || dwarf_linebeginstatement(line, &is_stmt) != 0)
		return false;
	*ret = (struct dwarf_row){ .addr = addr };
	if (ends)
		return true;
	ret->file = dwarf_unit_path(u, dwarf_linesrc(line, NULL, NULL));
	ret->line = number > 0 ? (uint32_t)number : 0;
	ret->is_stmt = is_stmt;
	return true;
}

/*
 * Reads the rows. libdw sorts by address, the end of a sequence before a row at the same address.
 */
static void read_rows(struct dwarf_unit *u)
{
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(&u->die, &lines, &n) != 0 || n == 0)
		return;
	u->rows = xcalloc(n, sizeof(u->rows[0]));
	for (size_t i = 0; i < n; i++) {
		struct dwarf_row *last = u->n_rows ? &u->rows[u->n_rows - 1] : NULL, row;

		/* Rows below the unit's code belong to functions that the linker omitted. */
		if (!lines_row_of(u, dwarf_onesrcline(lines, i), &row) || row.addr < u->low)
			continue;
		if (last && last->addr == row.addr)
			*last = row;
		else if (!last || last->file || row.file)
			u->rows[u->n_rows++] = row;
	}
	if (u->n_rows)
		u->rows = xrealloc(u->rows, u->n_rows * sizeof(u->rows[0]));
}

/* Returns the number of rows that begin at or before @addr. */
static size_t lines_rows_up_to(struct dwarf_unit *u, uint64_t addr)
{
	if (!u->has_rows)
		read_rows(u);
	u->has_rows = true;
	return BISECT(i, u->n_rows, u->rows[i].addr <= addr);
}

const struct dwarf_row *dwarf_unit_row(struct dwarf_unit *u, uint64_t addr)
{
	size_t n = lines_rows_up_to(u, addr);

	return n && u->rows[n - 1].file ? &u->rows[n - 1] : NULL;
}

size_t dwarf_unit_rows(struct dwarf_unit *u, uint64_t start, uint64_t end,
		       const struct dwarf_row **ret)
{
	size_t first = lines_rows_up_to(u, start), behind = end ? lines_rows_up_to(u, end - 1) : 0;

	first -= first > 0;
	if (first >= behind)
		return 0;
	*ret = &u->rows[first];
	return behind - first;
}
