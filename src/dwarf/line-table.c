/* SPDX-License-Identifier: MIT */
#include "dwarf/line-table.h"

#include <dwarf.h>

uint64_t line_table_offset(const struct line_table *t, struct cursor *c)
{
	return t->head.offset_size == 8 ? cursor_u64(c) : cursor_u32(c);
}

/* Reads the header between the two lengths and the lists. */
static bool line_table_read_head(struct line_table *t)
{
	struct cursor *c = &t->lists;

	/*
	 * minimum_instruction_length, maximum_operations_per_instruction (since DWARF 4),
	 * default_is_stmt
	 */
	cursor_bytes(c, t->head.version >= 4 ? 3 : 2);
	t->line_base = (int8_t)cursor_u8(c);
	t->line_range = cursor_u8(c);
	t->opcode_base = cursor_u8(c);
	t->lengths = cursor_bytes(c, t->opcode_base ? t->opcode_base - 1u : 0);
	return !c->bad;
}

bool line_table_open(struct line_table *t, const struct die_file *f, const struct die_unit *u)
{
	struct cursor c = cursor_over(f->line.at, f->line.size, f->swap);
	uint64_t length;

	*t = (struct line_table){ .file = f };
	if (u->lines == DIE_NONE || !f->line.at)
		return false;
	cursor_bytes(&c, u->lines);
	length = cursor_u32(&c);
	t->head.offset_size = length == UINT32_MAX ? 8 : 4;
	if (length == UINT32_MAX)
		length = cursor_u64(&c);
	if (length > cursor_left(&c))
		return false;
	c.end = c.at + length;
	t->head.version = cursor_u16(&c);
	if (t->head.version >= 5) {
		t->head.address_size = cursor_u8(&c);
		cursor_u8(&c); /* size of segment selectors */
	}
	length = line_table_offset(t, &c);
	if (c.bad || length > cursor_left(&c) || t->head.version < 2 || t->head.version > 5)
		return false;
	t->program = t->lists = c;
	t->lists.end = c.at + length;
	t->program.at += length;
	return line_table_read_head(t);
}

/* The registers of the line number program that matter here. */
struct line_table_state {
	uint64_t file, line;
};

static void skip_extended(struct cursor *c, struct line_table_state *s)
{
	struct cursor operands = { .at = NULL };
	uint64_t length = cursor_uleb128(c);
	const uint8_t *bytes = cursor_bytes(c, length);

	if (bytes && length)
		operands = (struct cursor){ .at = bytes, .end = bytes + length };
	if (operands.at && cursor_u8(&operands) == DW_LNE_end_sequence)
		*s = (struct line_table_state){ 1, 1 };
}

/* Runs one opcode; true: it appends a row. */
static bool line_table_step(const struct line_table *t, struct cursor *c,
			    struct line_table_state *s)
{
	uint8_t op = cursor_u8(c);

	if (op >= t->opcode_base) {
		s->line += (uint64_t)(t->line_base + (op - t->opcode_base) % t->line_range);
		return true;
	}
	switch (op) {
	case 0:
		skip_extended(c, s);
		return false;
	case DW_LNS_copy:
		return true;
	case DW_LNS_advance_line:
		s->line += (uint64_t)cursor_sleb128(c);
		return false;
	case DW_LNS_set_file:
		s->file = cursor_uleb128(c);
		return false;
	case DW_LNS_fixed_advance_pc:
		cursor_u16(c);
		return false;
	default:
		for (uint8_t i = t->lengths[op - 1]; i && !c->bad; i--)
			cursor_uleb128(c);
		return false;
	}
}

bool line_table_has(const struct line_table *t, const bool *files, size_t n, uint64_t line)
{
	struct cursor c = t->program;
	struct line_table_state s = { 1, 1 };

	if (!t->line_range)
		return false;
	while (cursor_left(&c) && !c.bad)
		if (line_table_step(t, &c, &s) && s.line == line && s.file < n && files[s.file])
			return true;
	return false;
}
