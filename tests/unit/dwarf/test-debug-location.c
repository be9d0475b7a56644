/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/debug-variables.h"
#include "variables-elf.h"

/* Returns the place that @bytes describe, at the beginning of the function. */
static struct debug_variable read_at(const uint8_t *bytes, size_t n, uint64_t offset)
{
	struct place_expression extra = { .name = "v", .n = n };
	struct opened_variables o;
	struct debug_variable v;

	memcpy(extra.bytes, bytes, n);
	variables_open(&o, &extra, 1);
	o.place.addr += offset;
	assert_int_equal(debug_variable_find(o.info, &o.place, "v", &v, NULL), 0);
	debug_info_free(o.info);
	return v;
}

#define READ(...)                                                                                  \
	read_at((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }), 0)

static void sums_with_a_register_are_memory(void **state)
{
	struct debug_variable plain = READ(DW_OP_breg3, 8);
	struct debug_variable sum = READ(DW_OP_breg3, 8, DW_OP_plus_uconst, 4);
	struct debug_variable minus = READ(DW_OP_breg3, 8, DW_OP_lit4, DW_OP_minus);
	struct debug_variable frame = READ(DW_OP_fbreg, 0x70);

	(void)state;
	assert_int_equal(plain.place.where, VARIABLE_MEMORY);
	assert_int_equal(plain.place.reg, 3);
	assert_int_equal(plain.place.steps[0], 8);
	assert_int_equal(sum.place.steps[0], 12);
	assert_int_equal(minus.place.steps[0], 4);
	assert_int_equal(frame.place.reg, 31);
	assert_int_equal(frame.place.steps[0], -16);
}

static void what_was_read_is_a_further_step(void **state)
{
	struct debug_variable v = READ(DW_OP_breg0, 8, DW_OP_deref, DW_OP_plus_uconst, 4);

	(void)state;
	assert_int_equal(v.place.where, VARIABLE_MEMORY);
	assert_int_equal(v.place.n_steps, 2);
	assert_int_equal(v.place.steps[0], 8);
	assert_int_equal(v.place.steps[1], 4);
}

static void a_value_is_a_register_memory_a_constant_or_an_address(void **state)
{
	struct debug_variable reg = READ(DW_OP_breg5, 0, DW_OP_stack_value);
	struct debug_variable memory = READ(DW_OP_breg5, 8, DW_OP_deref, DW_OP_stack_value);
	struct debug_variable number = READ(DW_OP_consts, 0x7d, DW_OP_stack_value);
	struct debug_variable address = READ(DW_OP_breg5, 8, DW_OP_stack_value);

	(void)state;
	assert_int_equal(reg.place.where, VARIABLE_REGISTER);
	assert_int_equal(reg.place.reg, 5);
	assert_int_equal(memory.place.where, VARIABLE_MEMORY);
	assert_int_equal(memory.place.n_steps, 1);
	assert_int_equal(number.place.where, VARIABLE_CONSTANT);
	assert_int_equal((int64_t)number.place.value, -3);
	assert_false(number.is_plain);
	assert_int_equal(address.place.where, VARIABLE_ADDRESS);
}

static void bytes_in_the_expression_are_a_constant(void **state)
{
	struct debug_variable v = READ(DW_OP_implicit_value, 4, 0x78, 0x56, 0x34, 0x12);

	(void)state;
	assert_int_equal(v.place.where, VARIABLE_CONSTANT);
	assert_int_equal(v.place.value, 0x12345678);
}

static void pieces_have_places_of_their_own(void **state)
{
	struct debug_variable v = READ(DW_OP_reg1, DW_OP_piece, 4, DW_OP_reg2, DW_OP_piece, 4);
	struct debug_variable gap = READ(DW_OP_piece, 4, DW_OP_reg2, DW_OP_piece, 4);
	struct debug_variable one = READ(DW_OP_reg1, DW_OP_piece, 8);

	(void)state;
	assert_int_equal(v.n_pieces, 2);
	assert_int_equal(v.pieces[1].reg, 2);
	assert_int_equal(v.pieces[1].offset, 4);
	assert_int_equal(v.pieces[1].size, 4);
	assert_int_equal(gap.pieces[0].where, VARIABLE_NOWHERE);
	assert_false(gap.is_plain);
	assert_int_equal(one.n_pieces, 0);
	assert_int_equal(one.place.where, VARIABLE_REGISTER);
}

static void the_value_at_the_entry_is_known_only_there(void **state)
{
	static const uint8_t bytes[] = { DW_OP_entry_value, 1, DW_OP_reg0, DW_OP_stack_value };

	(void)state;
	assert_int_equal(read_at(bytes, sizeof(bytes), 0).place.where, VARIABLE_REGISTER);
	assert_int_equal(read_at(bytes, sizeof(bytes), 4).place.where, VARIABLE_OTHER);
}

static void what_the_kernel_cannot_compute_is_said_so(void **state)
{
	(void)state;
	assert_int_equal(READ(DW_OP_breg0, 0, DW_OP_breg1, 0, DW_OP_plus).place.where,
			 VARIABLE_OTHER);
	assert_int_equal(READ(DW_OP_breg0, 0, DW_OP_lit2, DW_OP_shl, DW_OP_stack_value).place.where,
			 VARIABLE_OTHER);
	assert_int_equal(READ(DW_OP_call_frame_cfa).place.where, VARIABLE_OTHER);
	assert_int_equal(READ(DW_OP_lit0, DW_OP_form_tls_address).place.where, VARIABLE_THREAD);
}

static void expressions_that_make_no_sense_are_survived(void **state)
{
	(void)state;
	assert_int_equal(READ(DW_OP_plus).place.where, VARIABLE_OTHER);
	assert_int_equal(READ(DW_OP_deref).place.where, VARIABLE_OTHER);
	assert_int_equal(READ(DW_OP_stack_value).place.where, VARIABLE_OTHER);
	assert_int_equal(READ(DW_OP_reg0, DW_OP_reg1).place.where, VARIABLE_OTHER);
	assert_int_equal(READ(DW_OP_lit1).place.where, VARIABLE_OTHER);
	assert_int_equal(READ(DW_OP_reg0, DW_OP_bit_piece, 3, 0).place.where, VARIABLE_OTHER);
	assert_int_equal(READ(DW_OP_breg0, 0, DW_OP_deref, DW_OP_deref, DW_OP_deref, DW_OP_deref,
			      DW_OP_deref, DW_OP_deref)
				 .place.where,
			 VARIABLE_OTHER);
}

static void an_empty_expression_is_nowhere(void **state)
{
	(void)state;
	assert_int_equal(read_at((const uint8_t[]){ 0 }, 0, 0).place.where, VARIABLE_NOWHERE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_with_a_register_are_memory),
		cmocka_unit_test(what_was_read_is_a_further_step),
		cmocka_unit_test(a_value_is_a_register_memory_a_constant_or_an_address),
		cmocka_unit_test(bytes_in_the_expression_are_a_constant),
		cmocka_unit_test(pieces_have_places_of_their_own),
		cmocka_unit_test(the_value_at_the_entry_is_known_only_there),
		cmocka_unit_test(what_the_kernel_cannot_compute_is_said_so),
		cmocka_unit_test(expressions_that_make_no_sense_are_survived),
		cmocka_unit_test(an_empty_expression_is_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
