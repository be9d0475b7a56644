/* SPDX-License-Identifier: MIT */
/* Tests the file names in the header of a line table. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "dwarf-elf.h"
#include "dwarf/die-file.h"
#include "dwarf/line-files.h"

/* Ways of encoding a table of DWARF 5. */
struct how {
	uint8_t offset_size;    /* 8: the 64-bit form */
	uint8_t path_form;      /* of files */
	uint8_t directory_form; /* of the numbers of directories */
	uint8_t extra_form;     /* of an additional field; 0: there is none */
};

static void put_form(struct dwarf_bytes *b, const struct how *h, const char *name, uint64_t offset)
{
	if (h->path_form == DW_FORM_string)
		dwarf_text(b, name);
	else
		dwarf_put(b, offset, h->offset_size);
}

static void put_number(struct dwarf_bytes *b, unsigned form, uint64_t value)
{
	dwarf_put(b, value, form == DW_FORM_data2 ? 2 : form == DW_FORM_data4 ? 4 : 1);
}

static void put_extra(struct dwarf_bytes *b, unsigned form)
{
	if (form == DW_FORM_data16) {
		dwarf_put(b, 1, 8);
		dwarf_put(b, 1, 8);
	} else if (form == DW_FORM_block) {
		dwarf_put(b, 2, 1);
		dwarf_put(b, 0, 2);
	} else if (form) {
		dwarf_put(b, 1, 1);
	}
}

static void put_head(struct dwarf_bytes *b, unsigned version, const struct how *h)
{
	if (h->offset_size == 8)
		dwarf_put(b, UINT32_MAX, 4);
	dwarf_put(b, 0, h->offset_size); /* filled in by close_table() */
	dwarf_put(b, version, 2);
	if (version >= 5) {
		dwarf_put(b, 8, 1);
		dwarf_put(b, 0, 1);
	}
	dwarf_put(b, 0, h->offset_size);
	dwarf_put(b, 1, 1);
	if (version >= 4)
		dwarf_put(b, 1, 1);
	dwarf_put(b, 1, 1);
	dwarf_put(b, 0xfb, 1);
	dwarf_put(b, 14, 1);
	dwarf_put(b, 3, 1); /* lengths of the opcodes below 3 */
	dwarf_put(b, 0x100, 2);
}

/* Fills in both lengths. A program of @n bytes follows the header. */
static void close_table(struct dwarf_bytes *b, unsigned version, const struct how *h, size_t n)
{
	size_t first = h->offset_size == 8 ? 12 : 4;
	size_t second = first + 2 + (version >= 5 ? 2 : 0) + h->offset_size;
	uint64_t length = b->n - second;

	memcpy(b->bytes + second - h->offset_size, &length, h->offset_size);
	b->n += n;
	length = b->n - first;
	memcpy(b->bytes + first - h->offset_size, &length, h->offset_size);
}

/* The directories are /src and include; a.c is in the first, h.h in the second. */
static void put_table5(struct dwarf_bytes *b, const struct how *h)
{
	put_head(b, 5, h);
	dwarf_put(b, 1, 1);
	dwarf_put(b, DW_LNCT_path, 1);
	dwarf_put(b, h->path_form, 1);
	dwarf_put(b, 2, 1);
	put_form(b, h, "/src", 1);
	put_form(b, h, "include", 6);
	dwarf_put(b, h->extra_form ? 3 : 2, 1);
	dwarf_put(b, DW_LNCT_path, 1);
	dwarf_put(b, h->path_form, 1);
	dwarf_put(b, DW_LNCT_directory_index, 1);
	dwarf_put(b, h->directory_form, 1);
	if (h->extra_form) {
		dwarf_put(b, DW_LNCT_MD5, 1);
		dwarf_put(b, h->extra_form, 1);
	}
	dwarf_put(b, 2, 1);
	put_form(b, h, "a.c", 14);
	put_number(b, h->directory_form, 0);
	put_extra(b, h->extra_form);
	put_form(b, h, "h.h", 18);
	put_number(b, h->directory_form, 1);
	put_extra(b, h->extra_form);
	close_table(b, 5, h, 7);
}

static const char strings[] = "\0/src\0include\0a.c\0h.h";

static struct die_file over(const struct dwarf_bytes *b)
{
	struct die_bytes texts = { (const uint8_t *)strings, sizeof(strings) };

	return (struct die_file){ .line = { b->bytes, b->n }, .str = texts, .line_str = texts };
}

static const struct die_unit unit = { .lines = 0 };

static void both_files_of_version_5_are_found_however_written(void **state)
{
	static const struct how ways[] = {
		{ 4, DW_FORM_string, DW_FORM_udata, 0 },
		{ 4, DW_FORM_line_strp, DW_FORM_udata, DW_FORM_data16 },
		{ 8, DW_FORM_line_strp, DW_FORM_data1, DW_FORM_block },
		{ 4, DW_FORM_strp, DW_FORM_data2, DW_FORM_udata },
		{ 8, DW_FORM_strp, DW_FORM_data4, DW_FORM_data1 },
	};
	_cleanup_(line_files_done) struct line_files l = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		struct dwarf_bytes b = { .n = 0 };

		put_table5(&b, &ways[i]);

		struct die_file f = over(&b);

		assert_true(line_files_read(&l, &f, &unit));
		assert_int_equal(l.n, 2);
		assert_string_equal(l.items[0].name, "a.c");
		assert_string_equal(l.items[0].directory, "/src");
		assert_string_equal(l.items[1].name, "h.h");
		assert_string_equal(l.items[1].directory, "include");
		assert_true(l.items[1].name_at ==
			    (ways[i].path_form == DW_FORM_line_strp ? 18 : DIE_NONE));
	}
}

static void put_table_old(struct dwarf_bytes *b, unsigned version)
{
	static const struct how how = { .offset_size = 4 };

	put_head(b, version, &how);
	dwarf_text(b, "include");
	dwarf_put(b, 0, 1);
	dwarf_text(b, "a.c");
	dwarf_put(b, 0, 3);
	dwarf_text(b, "h.h");
	dwarf_put(b, 1, 3); /* directory, time and size */
	dwarf_put(b, 0, 1);
	close_table(b, version, &how, 7);
}

static void older_tables_count_directories_from_1(void **state)
{
	_cleanup_(line_files_done) struct line_files l = { .n = 0 };

	(void)state;
	for (unsigned version = 2; version <= 4; version++) {
		struct dwarf_bytes b = { .n = 0 };

		put_table_old(&b, version);

		struct die_file f = over(&b);

		assert_true(line_files_read(&l, &f, &unit));
		assert_int_equal(l.n, 2);
		assert_string_equal(l.items[0].name, "a.c");
		assert_null(l.items[0].directory);
		assert_string_equal(l.items[1].directory, "include");
	}
}

static void a_unit_may_have_no_table(void **state)
{
	_cleanup_(line_files_done) struct line_files l = { .n = 0 };
	struct dwarf_bytes b = { .n = 0 };
	struct die_unit none = { .lines = DIE_NONE }, outside = { .lines = 1000 };

	(void)state;
	put_table_old(&b, 4);

	struct die_file f = over(&b);

	assert_false(line_files_read(&l, &f, &none));
	assert_false(line_files_read(&l, &f, &outside));
	assert_int_equal(l.n, 0);
}

static void a_table_that_is_cut_is_damaged(void **state)
{
	static const struct how how = { 4, DW_FORM_string, DW_FORM_udata, DW_FORM_data16 };
	_cleanup_(line_files_done) struct line_files l = { .n = 0 };

	(void)state;
	for (unsigned version = 4; version <= 5; version++) {
		struct dwarf_bytes b = { .n = 0 };

		if (version == 4)
			put_table_old(&b, version);
		else
			put_table5(&b, &how);
		for (size_t n = 0; n < b.n; n++) {
			struct die_file f = over(&b);

			f.line.size = n;
			assert_false(line_files_read(&l, &f, &unit));
		}
	}
}

/* True if the table of DWARF 5 can be read after the byte at @at was changed. */
static bool reads_with(size_t at, uint8_t value)
{
	static const struct how how = { 4, DW_FORM_line_strp, DW_FORM_udata, 0 };
	_cleanup_(line_files_done) struct line_files l = { .n = 0 };
	struct dwarf_bytes b = { .n = 0 };

	put_table5(&b, &how);
	if (at)
		b.bytes[at] = value;

	struct die_file f = over(&b);

	return line_files_read(&l, &f, &unit);
}

static void what_cannot_be_is_damaged(void **state)
{
	/* The lists begin behind a header of 20 bytes. */
	enum {
		VERSION = 4,
		HEAD_LENGTH = 8,
		FORMATS = 20,
		FORM = 22,
		DIRECTORIES = 23,
		TEXT = 24
	};

	(void)state;
	assert_true(reads_with(0, 0));
	assert_false(reads_with(VERSION, 6));
	assert_false(reads_with(VERSION, 1));
	assert_false(reads_with(HEAD_LENGTH, 0xff));
	assert_false(reads_with(FORMATS, 0));    /* directories without bytes */
	assert_false(reads_with(FORMATS, 0xff)); /* more than any table has */
	assert_false(reads_with(FORM, 0x7e));
	assert_false(reads_with(FORM, DW_FORM_data4));
	assert_false(reads_with(DIRECTORIES, 0x7f));
	assert_false(reads_with(TEXT, 0xf0)); /* beyond the end of its section */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_files_of_version_5_are_found_however_written),
		cmocka_unit_test(older_tables_count_directories_from_1),
		cmocka_unit_test(a_unit_may_have_no_table),
		cmocka_unit_test(a_table_that_is_cut_is_damaged),
		cmocka_unit_test(what_cannot_be_is_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
