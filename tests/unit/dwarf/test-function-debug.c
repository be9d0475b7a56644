/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cursor.h"
#include "dwarf/function-debug.h"
#include "dwarf/function-image.h"

static const struct function_line lines[] = {
	{ 0, "a.js", 10 },
	{ 4, "a.js", 300 },
	{ 8, "b.js", 2 },
	{ 6, "b.js", 5 },
};

static const struct image_function function = { "made!", 4, 0, 12 };

static const struct function_image image = { .functions = &function,
					     .n_functions = 1,
					     .code_size = 12,
					     .lines = lines,
					     .n_lines = ARRAY_SIZE(lines) };

static uint64_t leb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b;

	do {
		b = cursor_u8(c);
		v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	return v;
}

static int64_t signed_leb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b;

	do {
		b = cursor_u8(c);
		v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	return (int64_t)(b & 0x40 ? v | UINT64_MAX << shift : v);
}

struct row {
	uint64_t addr, file, line;
};

/* Runs the opcodes that are used, as in DWARF 4, 6.2. */
static size_t run(struct cursor *c, struct row *rows)
{
	struct row now = { .file = 1, .line = 1 };
	size_t n = 0;

	while (cursor_left(c)) {
		switch (cursor_u8(c)) {
		case 0:
			leb(c);
			if (cursor_u8(c) == 2)
				now.addr = cursor_u64(c);
			else
				now = (struct row){ .file = 1, .line = 1 };
			break;
		case 1:
			rows[n++] = now;
			break;
		case 2:
			now.addr += leb(c);
			break;
		case 3:
			now.line += (uint64_t)signed_leb(c);
			break;
		case 4:
			now.file = leb(c);
			break;
		default:
			fail();
		}
		assert_false(c->bad);
	}
	return n;
}

static void each_line_is_a_row_of_the_table(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = { 0 };
	static const struct row expected[] = {
		{ 0x80, 1, 10 }, { 0x84, 1, 300 }, { 0x88, 2, 2 }, { 0x86, 2, 5 }
	};
	struct row rows[8];

	function_lines_put(&image, &b);

	struct cursor c = cursor_over(b.data, b.n, false);
	uint32_t header;

	assert_int_equal(cursor_u32(&c), b.n - 4);
	assert_int_equal(cursor_u16(&c), 4);
	header = cursor_u32(&c);
	cursor_bytes(&c, 6 + 12 + 1);
	assert_string_equal(cursor_string(&c), "a.js");
	cursor_bytes(&c, 3);
	assert_string_equal(cursor_string(&c), "b.js");
	cursor_bytes(&c, 3);
	assert_int_equal(cursor_u8(&c), 0);
	assert_int_equal(c.at - b.data, 10 + header);
	assert_int_equal(run(&c, rows), 4);
	assert_memory_equal(rows, expected, sizeof(expected));
}

static void the_unit_names_the_file_and_the_function(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = { 0 };

	function_info_put(&image, &b);

	struct cursor c = cursor_over(b.data, b.n, false);

	assert_int_equal(cursor_u32(&c), b.n - 4);
	cursor_bytes(&c, 2 + 4 + 1);
	assert_int_equal(leb(&c), 1);
	assert_int_equal(cursor_u32(&c), 0);
	assert_string_equal(cursor_string(&c), "a.js");
	assert_int_equal(cursor_u64(&c), 0x80);
	assert_int_equal(cursor_u64(&c), 12);
	assert_int_equal(leb(&c), 2);
	assert_string_equal(cursor_string(&c), "made");
	assert_int_equal(cursor_u64(&c), 0x80);
	assert_int_equal(cursor_u64(&c), 12);
	assert_int_equal(cursor_u8(&c), 0);
	assert_int_equal(cursor_left(&c), 0);
}

static void abbreviations_end(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = { 0 };

	function_abbrev_put(&b);
	assert_true(b.n > 3);
	assert_int_equal(b.data[b.n - 1], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_is_a_row_of_the_table),
		cmocka_unit_test(the_unit_names_the_file_and_the_function),
		cmocka_unit_test(abbreviations_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
