/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code/types/scope-variables.h"
#include "dwarf/debug-function.h"
#include "example-types.h"

#define IN(r, from, to, t, d)                                                                      \
	{                                                                                          \
		.where = TYPED_REGISTER, .reg = r, .start = from, .end = to, .type = &types[t],    \
		.depth = d                                                                         \
	}

static struct typed_variable variables[] = {
	IN(0, 0x10, 0x20, T_VOID_POINTER, 1),
	IN(0, 0x10, 0x30, T_NODE_POINTER, 0),
	{ .where = TYPED_SUM,
	  .reg = 1,
	  .offset = 16,
	  .start = 0x10,
	  .end = 0x20,
	  .type = &types[T_NODE_POINTER] },
	{ .where = TYPED_FRAME, .offset = -48, .start = 0x10, .end = 0x40, .type = &types[T_NODE] },
	{ .where = TYPED_FRAME,
	  .offset = -48,
	  .start = 0x18,
	  .end = 0x20,
	  .type = &types[T_LONG],
	  .depth = 2 },
	{ .where = TYPED_AT_REGISTER,
	  .reg = 6,
	  .offset = -16,
	  .start = 0x10,
	  .end = 0x40,
	  .type = &types[T_INT] },
	{ .where = TYPED_STATIC,
	  .offset = 0x404000,
	  .start = 0x10,
	  .end = 0x40,
	  .type = &types[T_TABLE] },
	{ .where = TYPED_THREAD_LOCAL,
	  .offset = 8,
	  .start = 0x10,
	  .end = 0x40,
	  .type = &types[T_LONG] },
};

static const struct debug_function_types function = {
	.variables = { .items = variables, .n = ARRAY_SIZE(variables) },
};

static void the_pointer_to_a_structure_tells_most(void **state)
{
	struct scope_variables v;

	(void)state;
	scope_variables_init(&v, &function);
	assert_ptr_equal(scope_variables_in(&v, 0, 0x10).type, &types[T_NODE]);
	assert_ptr_equal(scope_variables_in(&v, 0, 0x2f).type, &types[T_NODE]);
	assert_int_equal(scope_variables_in(&v, 0, 0x30).kind, HELD_UNKNOWN);
	/* The variable is the register plus 16. */
	assert_int_equal(scope_variables_in(&v, 1, 0x10).offset, -16);
	scope_variables_done(&v);
}

static void memory_belongs_to_the_innermost_variable(void **state)
{
	struct object_place p;
	struct scope_variables v;

	(void)state;
	scope_variables_init(&v, &function);
	assert_true(scope_variables_frame(&v, 0x10, -40, &p));
	assert_ptr_equal(p.type, &types[T_NODE]);
	assert_int_equal(p.offset, 8);
	assert_true(scope_variables_frame(&v, 0x18, -44, &p));
	assert_ptr_equal(p.type, &types[T_LONG]);
	assert_false(scope_variables_frame(&v, 0x10, -8, &p));
	assert_true(scope_variables_at(&v, 0x10, 6, -16, &p));
	assert_false(scope_variables_at(&v, 0x10, 7, -16, &p));
	assert_true(scope_variables_static(&v, 0x10, 0x404008, &p));
	assert_int_equal(p.offset, 8);
	assert_true(scope_variables_thread(&v, 8, &p));
	assert_false(scope_variables_thread(&v, 16, &p));
	scope_variables_done(&v);
}

static void a_structure_in_a_register_is_its_only_member(void **state)
{
	struct typed_variable option = { .where = TYPED_REGISTER,
					 .reg = 3,
					 .start = 0x10,
					 .end = 0x20,
					 .type = &types[T_OPTION] };
	struct debug_function_types f = { .variables = { .items = &option, .n = 1 } };
	struct scope_variables v;

	(void)state;
	scope_variables_init(&v, &f);
	assert_int_equal(scope_variables_in(&v, 3, 0x10).kind, HELD_POINTER);
	assert_ptr_equal(scope_variables_in(&v, 3, 0x10).type, &types[T_NODE]);
	scope_variables_done(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_structure_in_a_register_is_its_only_member),
		cmocka_unit_test(the_pointer_to_a_structure_tells_most),
		cmocka_unit_test(memory_belongs_to_the_innermost_variable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
