/* SPDX-License-Identifier: MIT */
/* Tests which lines a table has rows of. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "dwarf-elf.h"
#include "dwarf/line-table.h"

static const struct die_unit unit = { .lines = 0 };

/* True if the table of dwarf-elf.h has rows of @line. */
static bool has(const struct dwarf_bytes *b, unsigned file, uint64_t line)
{
	struct die_file f = { .line = { b->bytes, b->n } };
	struct line_table t;
	bool files[3] = { false };

	files[file] = true;
	return line_table_open(&t, &f, &unit) && line_table_has(&t, files, 3, line);
}

static void rows_are_of_a_file_and_a_line(void **state)
{
	static const unsigned first[] = { 10, 13, 14, 20 }, second[] = { 4, 5, 8, 51 };
	struct dwarf_bytes b = { .n = 0 };

	(void)state;
	dwarf_lines(&b, 0x1000);
	for (unsigned line = 0; line < 60; line++) {
		bool in_first = false, in_second = false;

		for (size_t i = 0; i < 4; i++) {
			in_first |= first[i] == line;
			in_second |= second[i] == line;
		}
		assert_int_equal(has(&b, 1, line), in_first);
		assert_int_equal(has(&b, 2, line), in_second);
	}
	assert_false(has(&b, 0, 10));
}

/*
 * Appends a table whose opcodes from 14 on advance the line by 0 to 4, with a program of @n bytes.
 */
static void put_program(struct dwarf_bytes *b, const uint8_t *program, size_t n)
{
	static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2 };

	dwarf_put(b, 0, 4);
	dwarf_put(b, 4, 2);
	dwarf_put(b, 6 + sizeof(lengths) + 2, 4);
	dwarf_put(b, 1, 1);
	dwarf_put(b, 1, 1);
	dwarf_put(b, 1, 1);
	dwarf_put(b, 0, 1);
	dwarf_put(b, 5, 1);
	dwarf_put(b, sizeof(lengths) + 1, 1);
	memcpy(b->bytes + b->n, lengths, sizeof(lengths));
	b->n += sizeof(lengths);
	dwarf_put(b, 0, 2); /* no directories, no files */
	memcpy(b->bytes + b->n, program, n);
	b->n += n;
	dwarf_close(b, 0);
}

static void every_opcode_is_passed_over(void **state)
{
	static const uint8_t program[] = {
		DW_LNS_advance_pc,
		0x81,
		1,
		DW_LNS_set_column,
		5,
		DW_LNS_negate_stmt,
		DW_LNS_set_basic_block,
		DW_LNS_const_add_pc,
		DW_LNS_fixed_advance_pc,
		1,
		1,
		DW_LNS_set_prologue_end,
		DW_LNS_set_epilogue_begin,
		DW_LNS_set_isa,
		1,
		13,
		0x81,
		1,
		7, /* an unknown opcode with two operands */
		0,
		2,
		DW_LNE_set_discriminator,
		3,
		14 + 4 + 5, /* line 5 */
		0,
		1,
		DW_LNE_end_sequence,
		14 + 1, /* line 2 of the next sequence */
	};
	struct dwarf_bytes b = { .n = 0 };

	(void)state;
	put_program(&b, program, sizeof(program));
	for (unsigned line = 0; line < 10; line++)
		assert_int_equal(has(&b, 1, line), line == 5 || line == 2);
}

static void a_program_that_is_cut_has_no_more_rows(void **state)
{
	static const uint8_t program[] = { DW_LNS_advance_line, 0x88, 0, DW_LNS_copy, 0, 0x7f, 1 };

	(void)state;
	for (size_t n = 0; n <= sizeof(program); n++) {
		struct dwarf_bytes b = { .n = 0 };

		put_program(&b, program, n);
		assert_int_equal(has(&b, 1, 9), n >= 4);
	}
}

static void a_head_that_cannot_be_is_refused(void **state)
{
	static const struct {
		size_t at;
		uint8_t value;
	} lies[] = { { 0, 0xf0 }, { 4, 1 }, { 4, 6 }, { 6, 0xf0 }, { 14, 0 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		struct dwarf_bytes b = { .n = 0 };

		put_program(&b, (const uint8_t[]){ 14 + 1 }, 1);
		assert_true(has(&b, 1, 2));
		b.bytes[lies[i].at] = lies[i].value;
		assert_false(has(&b, 1, 2));
	}
}

static void a_unit_may_have_no_table(void **state)
{
	static const struct die_unit none = { .lines = DIE_NONE }, behind = { .lines = 1000 };
	struct dwarf_bytes b = { .n = 0 };
	struct die_file f = { .line = { b.bytes, 0 } };
	struct line_table t;

	(void)state;
	put_program(&b, (const uint8_t[]){ 14 + 1 }, 1);
	f.line.size = b.n;
	assert_true(line_table_open(&t, &f, &unit));
	assert_false(line_table_open(&t, &f, &none));
	assert_false(line_table_open(&t, &f, &behind));
	f.line = (struct die_bytes){ NULL, 0 };
	assert_false(line_table_open(&t, &f, &unit));
}

static void the_lists_end_where_the_program_begins(void **state)
{
	struct dwarf_bytes b = { .n = 0 };
	struct die_file f = { .line = { b.bytes, 0 } };
	struct line_table t;

	(void)state;
	put_program(&b, (const uint8_t[]){ 14 + 1, 14, 14 }, 3);
	f.line.size = b.n;
	assert_true(line_table_open(&t, &f, &unit));
	assert_int_equal(cursor_left(&t.lists), 2);
	assert_int_equal(cursor_left(&t.program), 3);
	assert_ptr_equal(t.lists.end, t.program.at);
	assert_int_equal(t.line_base, 0);
	assert_int_equal(t.line_range, 5);
	assert_int_equal(t.opcode_base, 14);
	assert_int_equal(t.lengths[12], 2);
	assert_int_equal(t.head.version, 4);
	assert_int_equal(t.head.offset_size, 4);
}

/* Makes a table of @version without lists and with line 2; its offsets have @size bytes. */
static void put_version(struct dwarf_bytes *b, unsigned version, size_t size)
{
	size_t head = version >= 4 ? 6 : 5, behind = 2 + (version >= 5 ? 2 : 0) + size;

	b->n = 0;
	if (size == 8)
		dwarf_put(b, UINT32_MAX, 4);
	dwarf_put(b, behind + head + 1, size);
	dwarf_put(b, version, 2);
	if (version >= 5)
		dwarf_put(b, 0x0008, 2); /* addresses of 8 bytes, no segments */
	dwarf_put(b, head, size);
	dwarf_put(b, 0x010101, head - 3);
	dwarf_put(b, 0xff, 1); /* line advances begin with -1 */
	dwarf_put(b, 5, 1);
	dwarf_put(b, 1, 1); /* no other opcodes */
	dwarf_put(b, 1 + 2, 1);
}

static void every_version_is_read(void **state)
{
	(void)state;
	for (unsigned version = 1; version <= 6; version++)
		for (size_t size = 4; size <= 8; size += 4) {
			struct dwarf_bytes b;

			put_version(&b, version, size);
			assert_int_equal(has(&b, 1, 2), version >= 2 && version <= 5);
			assert_false(has(&b, 1, 1));
			b.n--; /* the length goes beyond the section */
			assert_false(has(&b, 1, 2));
		}
}

static void version_5_tells_the_size_of_addresses(void **state)
{
	struct dwarf_bytes b;
	struct die_file f = { .line = { b.bytes, 0 } };
	struct line_table t;

	(void)state;
	put_version(&b, 5, 8);
	f.line.size = b.n;
	assert_true(line_table_open(&t, &f, &unit));
	assert_int_equal(t.head.address_size, 8);
	assert_int_equal(t.head.offset_size, 8);
	assert_int_equal(t.line_base, -1);
}

static void only_the_end_of_a_sequence_resets_the_line(void **state)
{
	static const uint8_t program[] = { DW_LNS_advance_line,
					   8, /* line 9 */
					   0,
					   2,
					   DW_LNE_set_discriminator,
					   3,
					   0,
					   0, /* an operation without bytes */
					   DW_LNS_copy };
	struct dwarf_bytes b = { .n = 0 };

	(void)state;
	put_program(&b, program, sizeof(program));
	assert_true(has(&b, 1, 9));
	assert_false(has(&b, 1, 1));
}

static void a_file_beyond_the_flags_is_not_asked_for(void **state)
{
	static const uint8_t program[] = { DW_LNS_set_file, 2, DW_LNS_copy };
	const bool files[3] = { true, true, true };
	struct dwarf_bytes b = { .n = 0 };
	struct die_file f = { .line = { b.bytes, 0 } };
	struct line_table t;

	(void)state;
	put_program(&b, program, sizeof(program));
	f.line.size = b.n;
	assert_true(line_table_open(&t, &f, &unit));
	assert_false(line_table_has(&t, files, 2, 1));
	assert_true(line_table_has(&t, files, 3, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_of_a_file_and_a_line),
		cmocka_unit_test(every_opcode_is_passed_over),
		cmocka_unit_test(a_program_that_is_cut_has_no_more_rows),
		cmocka_unit_test(a_head_that_cannot_be_is_refused),
		cmocka_unit_test(a_unit_may_have_no_table),
		cmocka_unit_test(the_lists_end_where_the_program_begins),
		cmocka_unit_test(every_version_is_read),
		cmocka_unit_test(version_5_tells_the_size_of_addresses),
		cmocka_unit_test(only_the_end_of_a_sequence_resets_the_line),
		cmocka_unit_test(a_file_beyond_the_flags_is_not_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
