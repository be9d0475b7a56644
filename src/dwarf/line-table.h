/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A line table as bytes: its header, the place of the lists of directories and files
 * (dwarf/line-files.h), and the lines of its rows. DWARF 2 to 5.
 *
 * This is for finding, among thousands of units that include a header, the few in which one of its
 * lines has code. libdw reads all rows of a table.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "dwarf/die-file.h"

struct line_table {
	const struct die_file *file;
	struct die_unit head; /* version, and sizes that forms depend on */
	struct cursor lists, program;
	int8_t line_base;
	uint8_t line_range, opcode_base;
	const uint8_t *lengths; /* numbers of operands of the opcodes below opcode_base, from opcode
				   1 on */
};

/* Opens the line table of @u; false: it has none, or its header is damaged. */
bool line_table_open(struct line_table *t, const struct die_file *f, const struct die_unit *u);

/* Reads an offset, whose size depends on the table. */
uint64_t line_table_offset(const struct line_table *t, struct cursor *c);

/* True if a row has line @line in one of the files whose numbers are set in @files (@n flags). */
bool line_table_has(const struct line_table *t, const bool *files, size_t n, uint64_t line);
