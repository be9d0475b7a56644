/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/c-type.h"
#include "dwarf/debug-function.h"
#include "variables-elf.h"

static const struct typed_variable *find_at(const struct debug_function_types *f, uint64_t start,
					    enum typed_where where)
{
	for (size_t i = 0; i < f->variables.n; i++)
		if (f->variables.items[i].start == start && f->variables.items[i].where == where)
			return &f->variables.items[i];
	fail();
	return NULL;
}

static void variables_are_where_their_ranges_say(void **state)
{
	static const struct place_expression extra[] = {
		{ "sum", { DW_OP_breg2, 16, DW_OP_stack_value }, 3, OF_LONG },
		{ "thread", { DW_OP_const1u, 8, DW_OP_form_tls_address }, 3, OF_LONG },
		{ "lost", { DW_OP_breg2, 16, DW_OP_deref }, 3, OF_LONG },
	};
	struct opened_variables o;
	struct debug_function_types f;
	uint64_t text;
	const struct typed_variable *v;

	(void)state;
	variables_open(&o, extra, ARRAY_SIZE(extra));
	text = o.place.addr;
	assert_int_equal(debug_function_types_read(o.info, text + 4, &f), 0);
	assert_int_equal(f.entry, text);
	assert_int_equal(f.ranges.n, 1);
	assert_int_equal(f.ranges.items[0].end, text + 0x20);
	v = find_at(&f, text, TYPED_REGISTER);
	assert_int_equal(v->reg, 0);
	assert_int_equal(v->end, text + 0x20);
	assert_int_equal(v->type->kind, C_POINTER);
	v = find_at(&f, text, TYPED_AT_REGISTER);
	assert_int_equal(v->reg, 31);
	assert_int_equal(find_at(&f, text + 8, TYPED_REGISTER)->end, text + 0x10);
	v = find_at(&f, text + 0x10, TYPED_REGISTER);
	assert_int_equal(v->depth, 1);
	assert_int_equal(find_at(&f, text, TYPED_SUM)->offset, 16);
	assert_int_equal(find_at(&f, text, TYPED_THREAD_LOCAL)->offset, 8);
	for (size_t i = 1; i < f.variables.n; i++)
		assert_true(f.variables.items[i - 1].start <= f.variables.items[i].start);
	debug_function_types_done(&f);
	debug_info_free(o.info);
}

static const struct typed_variable *find_in(const struct debug_function_types *f,
					    enum typed_where where, unsigned reg)
{
	for (size_t i = 0; i < f->variables.n; i++)
		if (f->variables.items[i].where == where && f->variables.items[i].reg == reg)
			return &f->variables.items[i];
	return NULL;
}

static void pieces_in_registers_have_the_types_of_members(void **state)
{
	static const struct place_expression extra[] = {
		/* "first" and "next", and nothing between them. */
		{ "split",
		  { DW_OP_reg6, DW_OP_piece, 4, DW_OP_piece, 20, DW_OP_reg5, DW_OP_piece, 8 },
		  8,
		  OF_PAIR },
		/* "next" is a sum. */
		{ "sum",
		  { DW_OP_piece, 24, DW_OP_breg7, 16, DW_OP_stack_value, DW_OP_piece, 8 },
		  7,
		  OF_PAIR },
		/*
		 * A piece that is not a member, a piece that is one of a union, and a piece in
		 * memory.
		 */
		{ "odd",
		  { DW_OP_reg8, DW_OP_piece, 8, DW_OP_reg9, DW_OP_piece, 8, DW_OP_breg10, 48,
		    DW_OP_piece, 8 },
		  10,
		  OF_PAIR },
	};
	struct opened_variables o;
	struct debug_function_types f;
	const struct typed_variable *v;

	(void)state;
	variables_open(&o, extra, ARRAY_SIZE(extra));
	assert_int_equal(debug_function_types_read(o.info, o.place.addr, &f), 0);
	v = find_in(&f, TYPED_REGISTER, 6);
	assert_non_null(v);
	assert_int_equal(v->type->kind, C_INTEGER);
	assert_int_equal(v->end, o.place.addr + 0x20);
	v = find_in(&f, TYPED_REGISTER, 5);
	assert_non_null(v);
	assert_int_equal(v->type->kind, C_POINTER);
	v = find_in(&f, TYPED_SUM, 7);
	assert_non_null(v);
	assert_int_equal(v->type->kind, C_POINTER);
	assert_int_equal(v->offset, 16);
	assert_null(find_in(&f, TYPED_REGISTER, 8));
	assert_null(find_in(&f, TYPED_REGISTER, 9));
	v = find_in(&f, TYPED_AT_REGISTER, 10);
	assert_non_null(v);
	assert_int_equal(v->type->kind, C_STRUCT);
	assert_int_equal(v->offset, 48 - 16);
	debug_function_types_done(&f);
	debug_info_free(o.info);
}

static void code_that_is_not_described_has_no_function(void **state)
{
	struct opened_variables o;
	struct debug_function_types f = { .entry = 77 };

	(void)state;
	variables_open(&o, NULL, 0);
	assert_int_equal(debug_function_types_read(o.info, o.place.addr + 0x20, &f), -ENODATA);
	assert_int_equal(f.entry, 77);
	debug_info_free(o.info);
}

static void what_a_function_returns_is_known(void **state)
{
	struct opened_variables o;
	const struct c_type *t;

	(void)state;
	variables_open(&o, NULL, 0);
	t = debug_returned_type(o.info, o.place.addr);
	assert_non_null(t);
	assert_int_equal(t->kind, C_POINTER);
	assert_null(debug_returned_type(o.info, 0));
	debug_info_free(o.info);
}

static void members_are_listed_with_their_bytes(void **state)
{
	struct opened_variables o;
	const struct c_field *fields = NULL;
	const struct c_type *pair;

	(void)state;
	variables_open(&o, NULL, 0);
	pair = c_type_bare(c_type_target(debug_returned_type(o.info, o.place.addr)));
	assert_int_equal(c_type_fields(pair, &fields), 6);
	assert_string_equal(fields[0].name, "first");
	assert_int_equal(fields[0].size, 4);
	assert_int_equal(fields[1].offset, 4);
	assert_int_equal(fields[1].bit_size, 3);
	assert_int_equal(fields[1].size, 1);
	assert_null(fields[3].name);
	assert_int_equal(fields[4].size, 8);
	debug_info_free(o.info);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_are_where_their_ranges_say),
		cmocka_unit_test(pieces_in_registers_have_the_types_of_members),
		cmocka_unit_test(code_that_is_not_described_has_no_function),
		cmocka_unit_test(what_a_function_returns_is_known),
		cmocka_unit_test(members_are_listed_with_their_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
