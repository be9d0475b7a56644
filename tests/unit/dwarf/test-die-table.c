/* SPDX-License-Identifier: MIT */
/* Abbreviations, compiled. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "dwarf-elf.h"
#include "dwarf/die-file.h"
#include "dwarf/die-table.h"

static const struct die_unit unit = { .version = 5, .address_size = 8, .offset_size = 4 };

static bool compile(struct die_table *t, const uint8_t *bytes, size_t n)
{
	struct die_file f = { .abbrev = { bytes, n } };

	*t = (struct die_table){ .unit = NULL };
	return die_table_compile(t, &f, &unit);
}

static void neighbours_of_fixed_size_are_one_step(void **state)
{
	static const uint8_t bytes[] = {
		DWARF_ABBREV(1, DW_TAG_member, 0, DW_AT_name, DW_FORM_strp, DW_AT_decl_line,
			     DW_FORM_data2, DW_AT_type, DW_FORM_ref4),
		DWARF_ABBREV(2, DW_TAG_variable, 0, DW_AT_name, DW_FORM_strp, DW_AT_const_value,
			     DW_FORM_udata, DW_AT_type, DW_FORM_ref4),
		0,
	};
	struct die_table t;

	(void)state;
	assert_true(compile(&t, bytes, sizeof(bytes)));

	const struct die_abbrev *a = die_table_find(&t, 1), *b = die_table_find(&t, 2);

	assert_int_equal(t.steps.items[a->steps].fixed, 10);
	assert_int_equal(t.steps.items[a->steps].kind, STEP_END);
	assert_int_equal(t.steps.items[b->steps].fixed, 4);
	assert_int_equal(t.steps.items[b->steps].kind, STEP_LEB);
	assert_int_equal(t.steps.items[b->steps + 1].fixed, 4);
	assert_int_equal(t.steps.items[b->steps + 1].kind, STEP_END);
	assert_null(die_table_find(&t, 0));
	assert_null(die_table_find(&t, 3));
	die_table_done(&t);
}

static void functions_and_copies_are_told_apart(void **state)
{
	static const uint8_t bytes[] = {
		DWARF_ABBREV(1, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_strp),
		DWARF_ABBREV(2, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_strp),
		DWARF_ABBREV(3, DW_TAG_inlined_subroutine, 1, DW_AT_abstract_origin, DW_FORM_ref4),
		DWARF_ABBREV(4, DW_TAG_inlined_subroutine, 1, DW_AT_abstract_origin,
			     DW_FORM_ref_addr),
		DWARF_ABBREV(5, DW_TAG_base_type, 0, DW_AT_name, DW_FORM_strp),
		DWARF_ABBREV(6, DW_TAG_subprogram, 0, DW_AT_declaration, DW_FORM_flag_present),
		DWARF_ABBREV(7, DW_TAG_subprogram, 0, DW_AT_declaration, DW_FORM_flag),
		DWARF_ABBREV(8, DW_TAG_subprogram, 0, DW_AT_declaration, DW_FORM_flag_present,
			     DW_AT_low_pc, DW_FORM_addr),
		0,
	};
	static const uint8_t roles[] = {
		0, DIE_UNIT,        DIE_FUNCTION, DIE_INLINED,  DIE_INLINED | DIE_INLINED_CROSS,
		0, DIE_DECLARATION, DIE_FUNCTION, DIE_FUNCTION,
	};
	struct die_table t;

	(void)state;
	assert_true(compile(&t, bytes, sizeof(bytes)));
	for (unsigned i = 1; i <= 8; i++)
		assert_int_equal(die_table_find(&t, i)->roles, roles[i]);
	die_table_done(&t);
}

static void codes_may_be_left_out(void **state)
{
	static const uint8_t bytes[] = {
		DWARF_ABBREV(9, DW_TAG_member, 0, DW_AT_name, DW_FORM_strp),
		DWARF_ABBREV(3, DW_TAG_member, 0, DW_AT_name, DW_FORM_data1),
		0,
	};
	struct die_table t;

	(void)state;
	assert_true(compile(&t, bytes, sizeof(bytes)));
	assert_non_null(die_table_find(&t, 9));
	assert_non_null(die_table_find(&t, 3));
	assert_null(die_table_find(&t, 4));
	die_table_done(&t);
}

static void sizes_are_those_of_the_unit(void **state)
{
	const struct die_unit old = { .version = 2, .address_size = 4, .offset_size = 8 };
	static const struct {
		unsigned form;
		uint32_t now, before;
	} sizes[] = {
		{ DW_FORM_addr, 8, 4 },       { DW_FORM_strp, 4, 8 },
		{ DW_FORM_sec_offset, 4, 8 }, { DW_FORM_ref_addr, 4, 4 },
		{ DW_FORM_data16, 16, 16 },   { DW_FORM_flag_present, 0, 0 },
		{ DW_FORM_strx3, 3, 3 },      { DW_FORM_GNU_ref_alt, 4, 8 },
	};
	struct die_step step;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		assert_true(die_form_step(sizes[i].form, &unit, &step));
		assert_int_equal(step.fixed, sizes[i].now);
		assert_int_equal(step.kind, STEP_END);
		assert_true(die_form_step(sizes[i].form, &old, &step));
		assert_int_equal(step.fixed, sizes[i].before);
	}
	assert_false(die_form_step(0, &unit, &step));
	assert_false(die_form_step(2, &unit, &step));
	assert_false(die_form_step(0x2d, &unit, &step));
	assert_false(die_form_step(UINT64_MAX, &unit, &step));
}

static void what_is_damaged_is_refused(void **state)
{
	static const uint8_t whole[] = {
		DWARF_ABBREV(1, DW_TAG_member, 0, DW_AT_name, DW_FORM_strp, DW_AT_const_value,
			     DW_FORM_implicit_const, 5),
		0,
	};
	static const uint8_t unknown[] = { DWARF_ABBREV(1, DW_TAG_member, 0, DW_AT_name, 0x7e), 0 };
	static const uint8_t far[] = { DWARF_ABBREV(0x7f, DW_TAG_member, 0, DW_AT_name, 8), 0 };
	struct die_table t;

	(void)state;
	for (size_t n = 0; n < sizeof(whole); n++) {
		assert_false(compile(&t, whole, n));
		die_table_done(&t);
	}
	assert_true(compile(&t, whole, sizeof(whole)));
	die_table_done(&t);
	assert_false(compile(&t, unknown, sizeof(unknown)));
	die_table_done(&t);
	/* A code larger than the section cannot be in a table that contains every code. */
	assert_false(compile(&t, far, sizeof(far)));
	die_table_done(&t);
}

static void a_table_behind_the_section_is_refused(void **state)
{
	struct die_file f = { .abbrev = { (const uint8_t *)"", 1 } };
	struct die_unit u = unit;
	struct die_table t = { .unit = NULL };

	(void)state;
	assert_true(die_table_compile(&t, &f, &u));
	u.abbrevs = 1;
	assert_false(die_table_compile(&t, &f, &u));
	u.abbrevs = UINT64_MAX;
	assert_false(die_table_compile(&t, &f, &u));
	die_table_done(&t);
}

static void only_what_comes_before_a_code_has_to_be_sound(void **state)
{
	static const uint8_t bytes[] = {
		DWARF_ABBREV(1, DW_TAG_member, 0, DW_AT_name, DW_FORM_strp),
		DWARF_ABBREV(2, DW_TAG_compile_unit, 0, DW_AT_name, DW_FORM_strp),
		DWARF_ABBREV(3, DW_TAG_member, 0, DW_AT_name, 0x7f), /* no such form */
		0,
	};
	struct die_file f = { .abbrev = { bytes, sizeof(bytes) } };
	struct die_table t = { .unit = NULL };

	(void)state;
	assert_true(die_table_compile_until(&t, &f, &unit, 2));
	assert_int_equal(die_table_find(&t, 2)->roles, DIE_UNIT);
	assert_null(die_table_find(&t, 3));
	assert_false(die_table_compile_until(&t, &f, &unit, 3));
	f.abbrev = (struct die_bytes){ (const uint8_t *)"", 1 };
	assert_false(die_table_compile_until(&t, &f, &unit, 2)); /* is not there */
	assert_false(die_table_compile_until(&t, &f, &unit, 0)); /* means none */
	die_table_done(&t);
}

static void a_lone_code_does_not_make_a_large_table(void **state)
{
	/* The code 0x7ffff is smaller than the section. */
	static uint8_t bytes[1 << 20] = { 0xff, 0xff, 0x1f, DW_TAG_member, 0, 0, 0, 0 };
	struct die_table t;

	(void)state;
	assert_false(compile(&t, bytes, sizeof(bytes)));
	assert_true(die_table_memory(&t) < 1 << 20);
	die_table_done(&t);
}

static void units_with_the_same_abbreviations_share_the_work(void **state)
{
	static const uint8_t bytes[] = {
		DWARF_ABBREV(1, DW_TAG_member, 0, DW_AT_name, DW_FORM_strp), 0
	};
	const struct die_file f = { .abbrev = { bytes, sizeof(bytes) } };
	struct die_unit other = unit, older = unit;
	struct die_table t = { .unit = NULL };

	(void)state;
	older.version = 2;
	assert_true(die_table_compile(&t, &f, &unit));
	assert_int_equal(t.work, sizeof(bytes));
	assert_true(die_table_compile(&t, &f, &other));
	assert_ptr_equal(t.unit, &other);
	assert_int_equal(t.work, sizeof(bytes));
	assert_true(die_table_compile(&t, &f, &older));
	assert_int_equal(t.work, 2 * sizeof(bytes));
	assert_non_null(die_table_find(&t, 1));
	die_table_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neighbours_of_fixed_size_are_one_step),
		cmocka_unit_test(functions_and_copies_are_told_apart),
		cmocka_unit_test(codes_may_be_left_out),
		cmocka_unit_test(sizes_are_those_of_the_unit),
		cmocka_unit_test(what_is_damaged_is_refused),
		cmocka_unit_test(a_table_behind_the_section_is_refused),
		cmocka_unit_test(only_what_comes_before_a_code_has_to_be_sound),
		cmocka_unit_test(a_lone_code_does_not_make_a_large_table),
		cmocka_unit_test(units_with_the_same_abbreviations_share_the_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
