/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A line table as bytes: what its head says, where the lists of directories and files are
 * (dwarf/line-files.h), and which lines its rows are of. DWARF 2 to 5.
 *
 * Who wants all rows asks libdw. This is for finding the few units, of thousands that include a
 * header, in which one of its lines has code.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "dwarf/die-file.h"

struct line_table {
	const struct die_file *file;
	struct die_unit head; /* for the sizes that forms depend on, and the version */
	struct cursor lists, program;
	int8_t line_base;
	uint8_t line_range, opcode_base;
	const uint8_t *lengths; /* how many operands opcodes below opcode_base have, from 1 */
};

/* That of @u; false: it has none, or the head is damaged. */
bool line_table_open(struct line_table *t, const struct die_file *f, const struct die_unit *u);

/* An offset of the size that the table has. */
uint64_t line_table_offset(const struct line_table *t, struct cursor *c);

/* Whether a row is of @line in a file whose number is set in @files, of which there are @n. */
bool line_table_has(const struct line_table *t, const bool *files, size_t n, uint64_t line);
