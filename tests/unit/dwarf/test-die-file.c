/* SPDX-License-Identifier: MIT */
/* Tests the headers of units, made of bytes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cleanup.h"
#include "dwarf-elf.h"
#include "dwarf/die-file.h"

static struct die_file over(const struct dwarf_bytes *b, bool swap)
{
	return (struct die_file){ .info = { b->bytes, b->n }, .swap = swap };
}

/* Appends a unit of DWARF 5 with @extra bytes behind the sizes and @n bytes of entries. */
static void put_unit5(struct dwarf_bytes *b, uint8_t type, size_t extra, size_t n)
{
	size_t start = b->n;

	dwarf_put(b, 0, 4);
	dwarf_put(b, 5, 2);
	dwarf_put(b, type, 1);
	dwarf_put(b, 8, 1);
	dwarf_put(b, 0x10, 4);
	for (size_t i = 0; i < extra + n; i++)
		dwarf_put(b, 0, 1);
	dwarf_close(b, start);
}

static void units_of_versions_2_to_5_follow_each_other(void **state)
{
	struct dwarf_bytes b = { .n = 0 };
	size_t n;

	(void)state;
	for (unsigned version = 2; version <= 4; version++) {
		size_t start = b.n;

		dwarf_put(&b, 0, 4);
		dwarf_put(&b, version, 2);
		dwarf_put(&b, version * 0x100, 4);
		dwarf_put(&b, 8, 1);
		dwarf_put(&b, 0, 3);
		dwarf_close(&b, start);
	}
	put_unit5(&b, DW_UT_compile, 0, 3);

	struct die_file f = over(&b, false);
	_cleanup_(freep) struct die_unit *units = die_file_read_units(&f, &n);

	assert_int_equal(n, 4);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(units[i].version, i + 2);
		assert_int_equal(units[i].abbrevs, (i + 2) * 0x100);
		assert_int_equal(units[i].entry - units[i].start, 11);
		assert_int_equal(units[i].end - units[i].entry, 3);
	}
	assert_int_equal(units[3].start, units[2].end);
	assert_int_equal(units[3].entry - units[3].start, 12);
	assert_int_equal(units[3].address_size, 8);
	assert_int_equal(units[3].abbrevs, 0x10);
	assert_true(units[3].lines == DIE_NONE);
}

static void heads_are_as_long_as_their_type_says(void **state)
{
	static const struct {
		uint8_t type, extra;
		bool is_split;
	} types[] = {
		{ DW_UT_compile, 0, false }, { DW_UT_partial, 0, false },
		{ DW_UT_type, 12, false },   { DW_UT_split_type, 12, false },
		{ DW_UT_skeleton, 8, true }, { DW_UT_split_compile, 8, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		struct dwarf_bytes b = { .n = 0 };
		size_t n;

		put_unit5(&b, types[i].type, types[i].extra, 2);

		struct die_file f = over(&b, false);
		_cleanup_(freep) struct die_unit *units = die_file_read_units(&f, &n);

		assert_int_equal(n, 1);
		assert_int_equal(units[0].entry, 12 + types[i].extra);
		assert_int_equal(units[0].end, units[0].entry + 2);
		assert_int_equal(units[0].is_split, types[i].is_split);
	}
}

static void a_unit_may_be_in_the_64_bit_form(void **state)
{
	struct dwarf_bytes b = { .n = 0 };
	size_t n;

	(void)state;
	dwarf_put(&b, UINT32_MAX, 4);
	dwarf_put(&b, 2 + 8 + 1 + 4, 8);
	dwarf_put(&b, 4, 2);
	dwarf_put(&b, 0x77, 8);
	dwarf_put(&b, 4, 1);
	dwarf_put(&b, 0, 4);

	struct die_file f = over(&b, false);
	_cleanup_(freep) struct die_unit *units = die_file_read_units(&f, &n);

	assert_int_equal(n, 1);
	assert_int_equal(units[0].offset_size, 8);
	assert_int_equal(units[0].address_size, 4);
	assert_int_equal(units[0].abbrevs, 0x77);
	assert_int_equal(units[0].end, b.n);
}

static void a_unit_may_be_in_the_other_byte_order(void **state)
{
	static const uint8_t bytes[] = { 0, 0, 0, 8, 0, 4, 0, 0, 1, 2, 8, 0 };
	struct die_file f = { .info = { bytes, sizeof(bytes) }, .swap = true };
	size_t n;
	_cleanup_(freep) struct die_unit *units = die_file_read_units(&f, &n);

	(void)state;
	assert_int_equal(n, 1);
	assert_int_equal(units[0].version, 4);
	assert_int_equal(units[0].abbrevs, 0x102);
}

static void damage_ends_the_list(void **state)
{
	static const struct {
		uint64_t length, version;
	} lies[] = {
		{ 100, 4 },        /* longer than the section */
		{ 6, 4 },          /* shorter than its header */
		{ 0xffffffff, 4 }, /* the 64-bit form, and nothing behind it */
		{ 8, 1 },          { 8, 6 }, { 8, UINT16_MAX }, /* an unknown version */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		struct dwarf_bytes b = { .n = 0 };
		size_t n;

		put_unit5(&b, DW_UT_compile, 0, 1);
		dwarf_put(&b, lies[i].length, 4);
		dwarf_put(&b, lies[i].version, 2);
		dwarf_put(&b, 0, 4);
		dwarf_put(&b, 8, 1);
		dwarf_put(&b, 0, 1);

		struct die_file f = over(&b, false);
		_cleanup_(freep) struct die_unit *units = die_file_read_units(&f, &n);

		assert_int_equal(n, 1);
	}
}

static void an_entry_belongs_to_the_unit_around_it(void **state)
{
	struct dwarf_bytes b = { .n = 0 };
	size_t n;

	(void)state;
	put_unit5(&b, DW_UT_compile, 0, 5);
	put_unit5(&b, DW_UT_compile, 0, 5);

	struct die_file f = over(&b, false);
	_cleanup_(freep) struct die_unit *units = die_file_read_units(&f, &n);

	f.units = units;
	f.n_units = n;
	assert_null(die_file_unit(&f, 0));
	assert_null(die_file_unit(&f, 11));
	assert_ptr_equal(die_file_unit(&f, 12), &units[0]);
	assert_ptr_equal(die_file_unit(&f, 16), &units[0]);
	assert_null(die_file_unit(&f, 17));
	assert_ptr_equal(die_file_unit(&f, 33), &units[1]);
	assert_null(die_file_unit(&f, 34));
	assert_null(die_file_unit(&f, UINT64_MAX));
}

static void a_text_ends_within_its_section(void **state)
{
	const struct die_bytes section = { (const uint8_t *)"one\0two", 7 }, none = { .size = 0 };

	(void)state;
	assert_string_equal(die_text_at(&section, 0), "one");
	assert_string_equal(die_text_at(&section, 2), "e");
	assert_null(die_text_at(&section, 4));
	assert_null(die_text_at(&section, 7));
	assert_null(die_text_at(&section, UINT64_MAX));
	assert_null(die_text_at(&none, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_of_versions_2_to_5_follow_each_other),
		cmocka_unit_test(heads_are_as_long_as_their_type_says),
		cmocka_unit_test(a_unit_may_be_in_the_64_bit_form),
		cmocka_unit_test(a_unit_may_be_in_the_other_byte_order),
		cmocka_unit_test(damage_ends_the_list),
		cmocka_unit_test(an_entry_belongs_to_the_unit_around_it),
		cmocka_unit_test(a_text_ends_within_its_section),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
