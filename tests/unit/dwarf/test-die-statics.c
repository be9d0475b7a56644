/* SPDX-License-Identifier: MIT */
/* Tests the lookup of variables by address, in bytes of .debug_info. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "dwarf-elf.h"
#include "dwarf/die-statics.h"

#include <dwarf.h>
#include <errno.h>

#include "base/bytes.h"
#include "dwarf/die-file.h"

enum {
	UNIT = 1,
	VARIABLE,
	FUNCTION,
	LOCAL
};

/* clang-format off */
static const uint8_t abbrevs[] = {
	UNIT, DW_TAG_compile_unit, DW_CHILDREN_yes, 0, 0,
	VARIABLE, DW_TAG_variable, DW_CHILDREN_no, DW_AT_location, DW_FORM_exprloc, 0, 0,
	FUNCTION, DW_TAG_subprogram, DW_CHILDREN_yes, DW_AT_sibling, DW_FORM_ref4, 0, 0,
	LOCAL, DW_TAG_variable, DW_CHILDREN_no, DW_AT_const_value, DW_FORM_data1, 0, 0,
	0,
};
/* clang-format on */

/* Begins a unit. Returns its offset. */
static size_t begin(struct bytes *b)
{
	size_t at = b->n;

	bytes_u32(b, 0);
	bytes_u16(b, 5);
	bytes_u8(b, DW_UT_compile);
	bytes_u8(b, 8);
	bytes_u32(b, 0);
	bytes_u8(b, UNIT);
	return at;
}

static void end(struct bytes *b, size_t at)
{
	uint32_t length;

	bytes_u8(b, 0);
	length = (uint32_t)(b->n - at - 4);
	memcpy(b->data + at, &length, sizeof(length));
}

/* Adds a variable. Returns the offset of its entry. */
static size_t add(struct bytes *b, uint8_t operation, uint64_t addr, size_t n)
{
	size_t at = b->n;

	bytes_u8(b, VARIABLE);
	bytes_u8(b, (uint8_t)(1 + n));
	bytes_u8(b, operation);
	bytes_add(b, &addr, n);
	return at;
}

static int read_statics(const struct bytes *b, uint64_t limit, struct die_statics *ret)
{
	struct die_file f = { .info = { b->data, b->n }, .abbrev = { abbrevs, sizeof(abbrevs) } };

	return die_statics_read(&f, limit, ret);
}

static void variables_of_all_units_are_found_by_address(void **state)
{
	_cleanup_(die_statics_done) struct die_statics s = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	size_t unit = begin(&b), first, second, third;

	(void)state;
	first = add(&b, DW_OP_addr, 0x3000, 8);
	second = add(&b, DW_OP_const4u, 0x1000, 4);
	bytes_u8(&b, LOCAL);
	bytes_u8(&b, 7);
	end(&b, unit);
	unit = begin(&b);
	third = add(&b, DW_OP_addr, 0x2000, 8);
	end(&b, unit);
	assert_int_equal(read_statics(&b, UINT64_MAX, &s), 0);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.items[0].addr, 0x1000);
	assert_int_equal(s.items[0].entry, second);
	assert_int_equal(s.items[1].addr, 0x2000);
	assert_int_equal(s.items[1].entry, third);
	assert_int_equal(s.items[2].entry, first);
}

static void units_beyond_the_limit_are_left_out(void **state)
{
	_cleanup_(die_statics_done) struct die_statics s = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	size_t unit = begin(&b);

	(void)state;
	add(&b, DW_OP_addr, 0x3000, 8);
	end(&b, unit);
	unit = begin(&b);
	add(&b, DW_OP_addr, 0x2000, 8);
	end(&b, unit);
	assert_int_equal(read_statics(&b, unit, &s), 0);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.items[0].addr, 0x3000);
}

static void what_is_elsewhere_is_no_address(void **state)
{
	_cleanup_(die_statics_done) struct die_statics s = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	size_t unit = begin(&b);

	(void)state;
	add(&b, DW_OP_fbreg, 0x10, 1);
	add(&b, DW_OP_addr, 0x10, 4); /* cut */
	add(&b, DW_OP_addr, 0x10, 0);
	add(&b, DW_OP_const8u, 0x10, 4);
	bytes_u8(&b, VARIABLE);
	bytes_u8(&b, 0);
	end(&b, unit);
	assert_int_equal(read_statics(&b, UINT64_MAX, &s), 0);
	assert_int_equal(s.n, 0);
}

static void functions_are_not_entered(void **state)
{
	_cleanup_(die_statics_done) struct die_statics s = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	size_t unit = begin(&b), at;
	uint32_t sibling;

	(void)state;
	bytes_u8(&b, FUNCTION);
	at = b.n;
	bytes_u32(&b, 0);
	add(&b, DW_OP_addr, 0x1000, 8);
	bytes_u8(&b, 0);
	sibling = (uint32_t)(b.n - unit);
	memcpy(b.data + at, &sibling, sizeof(sibling));
	add(&b, DW_OP_addr, 0x2000, 8);
	end(&b, unit);
	assert_int_equal(read_statics(&b, UINT64_MAX, &s), 0);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.items[0].addr, 0x2000);
}

static void addresses_by_index_are_for_others(void **state)
{
	_cleanup_(die_statics_done) struct die_statics s = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	size_t unit = begin(&b);

	(void)state;
	add(&b, DW_OP_addr, 0x2000, 8);
	add(&b, DW_OP_addrx, 3, 1);
	end(&b, unit);
	assert_int_equal(read_statics(&b, UINT64_MAX, &s), -EOPNOTSUPP);
	assert_int_equal(s.n, 0);
}

static void damaged_units_end_where_they_are_damaged(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	size_t unit = begin(&b);

	(void)state;
	add(&b, DW_OP_addr, 0x1000, 8);
	add(&b, DW_OP_addr, 0x2000, 8);
	end(&b, unit);
	for (size_t n = 0; n < b.n; n++) {
		_cleanup_(die_statics_done) struct die_statics s = { 0 };
		struct bytes cut = { b.data, n, n };

		assert_int_equal(read_statics(&cut, UINT64_MAX, &s), 0);
		assert_int_equal(s.n, 0);
	}
	b.data[unit + 13] = 99; /* no such abbreviation */
	_cleanup_(die_statics_done) struct die_statics s = { 0 };

	assert_int_equal(read_statics(&b, UINT64_MAX, &s), 0);
	assert_int_equal(s.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_of_all_units_are_found_by_address),
		cmocka_unit_test(units_beyond_the_limit_are_left_out),
		cmocka_unit_test(what_is_elsewhere_is_no_address),
		cmocka_unit_test(functions_are_not_entered),
		cmocka_unit_test(addresses_by_index_are_for_others),
		cmocka_unit_test(damaged_units_end_where_they_are_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
