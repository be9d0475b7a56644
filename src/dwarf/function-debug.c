/* SPDX-License-Identifier: MIT */
#include "dwarf/function-debug.h"

#include <stdbool.h>
#include <string.h>

#include "base/bytes.h"
#include "dwarf/function-image.h"

#define DWARF_VERSION 4
#define ADDRESS_SIZE  8

/* DWARF 4, 6.2: the opcodes that are used here, and the parameters that exclude others. */
enum {
	LNS_COPY = 1,
	LNS_ADVANCE_PC = 2,
	LNS_ADVANCE_LINE = 3,
	LNS_SET_FILE = 4,
	LNE_END_SEQUENCE = 1,
	LNE_SET_ADDRESS = 2,
	LINE_BASE = -5,
	LINE_RANGE = 14,
	OPCODE_BASE = 13,
};

enum {
	TAG_COMPILE_UNIT = 0x11,
	TAG_SUBPROGRAM = 0x2e,
	AT_NAME = 0x03,
	AT_STMT_LIST = 0x10,
	AT_LOW_PC = 0x11,
	AT_HIGH_PC = 0x12,
	FORM_ADDR = 0x01,
	FORM_DATA8 = 0x07,
	FORM_STRING = 0x08,
	FORM_SEC_OFFSET = 0x17,
};

enum {
	ABBREV_UNIT = 1,
	ABBREV_FUNCTION
};

static void put_unsigned(struct bytes *b, uint64_t v)
{
	do {
		bytes_u8(b, (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0)));
		v >>= 7;
	} while (v);
}

static void put_signed(struct bytes *b, int64_t v)
{
	bool more = true;

	while (more) {
		uint8_t low = v & 0x7f;

		v >>= 7;
		more = !((v == 0 && !(low & 0x40)) || (v == -1 && (low & 0x40)));
		bytes_u8(b, low | (more ? 0x80 : 0));
	}
}

/* Reserves space for a length, which is set when its contents are complete. */
static size_t begin_length(struct bytes *b)
{
	bytes_u32(b, 0);
	return b->n;
}

static void end_length(struct bytes *b, size_t begin)
{
	uint32_t length = (uint32_t)(b->n - begin);

	memcpy(b->data + begin - sizeof(length), &length, sizeof(length));
}

/*
 * True if a row needs a new file entry. Neighbouring rows nearly always have the same file, so only
 * a change gets an entry.
 */
static bool is_new_file(const struct function_image *f, size_t i)
{
	return !i || strcmp(f->lines[i].file, f->lines[i - 1].file) != 0;
}

static void put_file_names(const struct function_image *f, struct bytes *b)
{
	for (size_t i = 0; i < f->n_lines; i++) {
		if (!is_new_file(f, i))
			continue;
		bytes_string(b, f->lines[i].file, 1);
		/* No directory, time or size. */
		bytes_zero(b, 3);
	}
	bytes_u8(b, 0);
}

static void function_debug_put_header(const struct function_image *f, struct bytes *b)
{
	static const uint8_t operands[OPCODE_BASE - 1] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	size_t header;

	bytes_u16(b, DWARF_VERSION);
	header = begin_length(b);
	bytes_u8(b, 1); /* minimum_instruction_length */
	bytes_u8(b, 1); /* maximum_operations_per_instruction */
	bytes_u8(b, 1); /* default_is_stmt */
	bytes_u8(b, (uint8_t)LINE_BASE);
	bytes_u8(b, LINE_RANGE);
	bytes_u8(b, OPCODE_BASE);
	bytes_add(b, operands, sizeof(operands));
	bytes_u8(b, 0); /* no include_directories */
	put_file_names(f, b);
	end_length(b, header);
}

static void put_extended(struct bytes *b, uint8_t opcode, size_t operand_size)
{
	bytes_u8(b, 0);
	put_unsigned(b, 1 + operand_size);
	bytes_u8(b, opcode);
}

static void put_address(struct bytes *b, uint64_t offset)
{
	put_extended(b, LNE_SET_ADDRESS, ADDRESS_SIZE);
	bytes_u64(b, FUNCTION_IMAGE_TEXT + offset);
}

/* Appends the rows. Addresses in a sequence must grow; a lower one begins a new sequence,
 * and so does the next line after code that has none. */
static void function_debug_put_rows(const struct function_image *f, struct bytes *b)
{
	uint64_t at = 0, line = 1, file = 0;
	bool has_ended = f->n_lines && !f->lines[0].line;

	if (!has_ended)
		put_address(b, 0);
	for (size_t i = 0; i < f->n_lines; i++) {
		const struct function_line *l = &f->lines[i];

		if (!has_ended && (l->offset < at || !l->line)) {
			bytes_u8(b, LNS_ADVANCE_PC);
			put_unsigned(b, l->offset > at ? l->offset - at : 0);
			put_extended(b, LNE_END_SEQUENCE, 0);
			has_ended = true;
		}
		if (!l->line) {
			file += is_new_file(f, i);
			continue;
		}
		if (has_ended) {
			put_address(b, l->offset);
			at = l->offset;
			line = 1;
			bytes_u8(b, LNS_SET_FILE);
			put_unsigned(b, file);
			has_ended = false;
		}
		if (is_new_file(f, i)) {
			bytes_u8(b, LNS_SET_FILE);
			put_unsigned(b, ++file);
		}
		bytes_u8(b, LNS_ADVANCE_LINE);
		put_signed(b, (int64_t)l->line - (int64_t)line);
		bytes_u8(b, LNS_ADVANCE_PC);
		put_unsigned(b, l->offset - at);
		bytes_u8(b, LNS_COPY);
		at = l->offset;
		line = l->line;
	}
	if (has_ended)
		return;
	bytes_u8(b, LNS_ADVANCE_PC);
	put_unsigned(b, at < f->code_size ? f->code_size - at : 1);
	put_extended(b, LNE_END_SEQUENCE, 0);
}

void function_lines_put(const struct function_image *f, struct bytes *out)
{
	size_t unit = begin_length(out);

	function_debug_put_header(f, out);
	function_debug_put_rows(f, out);
	end_length(out, unit);
}

static void function_debug_put_place(uint64_t offset, uint64_t size, struct bytes *b)
{
	bytes_u64(b, FUNCTION_IMAGE_TEXT + offset);
	bytes_u64(b, size);
}

void function_info_put(const struct function_image *f, struct bytes *out)
{
	size_t unit = begin_length(out);

	bytes_u16(out, DWARF_VERSION);
	bytes_u32(out, 0); /* offset of its abbreviations */
	bytes_u8(out, ADDRESS_SIZE);

	put_unsigned(out, ABBREV_UNIT);
	bytes_u32(out, 0); /* offset of its line table */
	bytes_string(out, f->lines[0].file, 1);
	function_debug_put_place(0, f->code_size, out);

	for (size_t i = 0; i < f->n_functions; i++) {
		put_unsigned(out, ABBREV_FUNCTION);
		bytes_add(out, f->functions[i].name, f->functions[i].name_length);
		bytes_u8(out, 0);
		function_debug_put_place(f->functions[i].offset, f->functions[i].size, out);
	}

	bytes_u8(out, 0); /* end of the unit's entries */
	end_length(out, unit);
}

static void put_abbrev(struct bytes *b, unsigned code, unsigned tag, bool has_children)
{
	put_unsigned(b, code);
	put_unsigned(b, tag);
	bytes_u8(b, has_children);
}

static void put_attribute(struct bytes *b, unsigned name, unsigned form)
{
	put_unsigned(b, name);
	put_unsigned(b, form);
}

void function_abbrev_put(struct bytes *out)
{
	put_abbrev(out, ABBREV_UNIT, TAG_COMPILE_UNIT, true);
	put_attribute(out, AT_STMT_LIST, FORM_SEC_OFFSET);
	put_attribute(out, AT_NAME, FORM_STRING);
	put_attribute(out, AT_LOW_PC, FORM_ADDR);
	put_attribute(out, AT_HIGH_PC, FORM_DATA8);
	put_attribute(out, 0, 0);
	put_abbrev(out, ABBREV_FUNCTION, TAG_SUBPROGRAM, false);
	put_attribute(out, AT_NAME, FORM_STRING);
	put_attribute(out, AT_LOW_PC, FORM_ADDR);
	put_attribute(out, AT_HIGH_PC, FORM_DATA8);
	put_attribute(out, 0, 0);
	bytes_u8(out, 0);
}
