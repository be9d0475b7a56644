/* SPDX-License-Identifier: MIT */
/* Which lines a table has rows of. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>

#include "base/cleanup.h"
#include "dwarf/dwarf-elf.h"
#include "dwarf/line-table.h"

#if HAVE_LIBDW
static const struct die_unit unit = { .lines = 0 };

/* Of the table of dwarf-elf.h. */
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

/* A table whose opcodes from 14 on advance the line by 0 to 4, with a program of @n bytes. */
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
		7, /* one that nobody knows, with two operands */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_of_a_file_and_a_line),
		cmocka_unit_test(every_opcode_is_passed_over),
		cmocka_unit_test(a_program_that_is_cut_has_no_more_rows),
		cmocka_unit_test(a_head_that_cannot_be_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	return built_skip();
}
#endif
