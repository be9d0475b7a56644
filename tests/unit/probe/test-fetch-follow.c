/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "made-types.h"

static const struct made_type int_type = MADE_SIMPLE(C_INTEGER, "int", 4, true);
static const struct made_type long_type = MADE_SIMPLE(C_INTEGER, "long", 8, true);
static const struct made_type declared_type = MADE_SIMPLE(C_STRUCT, "declared", 0, false);
static const struct made_type huge_type = MADE_SIMPLE(C_STRUCT, "huge", (1ull << 31), false);
static const struct made_type largest_type = MADE_SIMPLE(C_STRUCT, "largest", INT32_MAX, false);
static const struct made_type inner_type, pair_type;
static const struct made_type pointer_type = MADE_OF(C_POINTER, 8, 0, &pair_type);
static const struct made_type reference_type = MADE_OF(C_REFERENCE, 8, 0, &pair_type);
static const struct made_type array_type = MADE_OF(C_ARRAY, 64, 2, &pair_type);
static const struct made_type typedef_type = MADE_OF(C_TYPEDEF, 0, 0, &pointer_type);
static const struct made_type int_pointer_type = MADE_OF(C_POINTER, 8, 0, &int_type);
static const struct made_type void_pointer_type = MADE_OF(C_POINTER, 8, 0, NULL);
static const struct made_type declared_pointer_type = MADE_OF(C_POINTER, 8, 0, &declared_type);
static const struct made_type huge_pointer_type = MADE_OF(C_POINTER, 8, 0, &huge_type);
static const struct made_type largest_pointer_type = MADE_OF(C_POINTER, 8, 0, &largest_type);

static const struct made_member inner_members[] = {
	{ "deep", { .type = &int_type.type, .offset = 4 } },
};
static const struct made_type inner_type = {
	.type = { .source = &made_source, .kind = C_STRUCT, .name = "inner", .size = 8 },
	.members = inner_members,
	.n_members = 1,
};
static const struct made_member pair_members[] = {
	{ "first", { .type = &int_type.type } },
	{ "second", { .type = &long_type.type, .offset = 8 } },
	{ "next", { .type = &pointer_type.type, .offset = 16 } },
	{ "inside", { .type = &inner_type.type, .offset = 24 } },
	{ "bits",
	  { .type = &int_type.type, .offset = 4, .bit_offset = 3, .bit_size = 5, .bit_unit = 32 } },
};
static const struct made_type pair_type = {
	.type = { .source = &made_source, .kind = C_STRUCT, .name = "pair", .size = 32 },
	.members = pair_members,
	.n_members = 5,
};

#define ARROW(n)                                                                                   \
	{                                                                                          \
		.name = (char *)(n), .is_arrow = true, .where = { 3, 3 }                           \
	}
#define DOT(n)                                                                                     \
	{                                                                                          \
		.name = (char *)(n), .where = { 3, 3 }                                             \
	}
#define INDEX(i)                                                                                   \
	{                                                                                          \
		.index = (i), .where = { 3, 3 }                                                    \
	}

static struct fetch_value value(const struct made_type *t, enum variable_where where)
{
	struct fetch_value v = { .name = "a", .type = t ? &t->type : NULL };

	v.at.where = where;
	v.at.reg = 1;
	v.at.steps[0] = 100;
	v.at.n_steps = where == VARIABLE_REGISTER ? 0 : 1;
	v.own_steps = v.at.n_steps;
	return v;
}

static void follows(struct fetch_value *v, struct probe_field *fields, size_t n)
{
	struct made_fetch f;

	made_begin(&f, EM_AARCH64);
	f.arg.fields = fields;
	f.arg.n_fields = n;
	if (fetch_value_follow(&f.fetch, v) != 0)
		fail_msg("%s", f.diag.message);
	assert_null(f.diag.message);
	made_end(&f);
}

static void is_refused(struct fetch_value v, struct probe_field field, int error,
		       const char *message, const char *hint)
{
	struct made_fetch f;

	made_begin(&f, EM_AARCH64);
	f.arg.fields = &field;
	f.arg.n_fields = 1;
	assert_int_equal(fetch_value_follow(&f.fetch, &v), error);
	made_says(&f, error == -ENODATA && !strstr(message, "this part") ? 2 : 3,
		  error == -ENODATA && !strstr(message, "this part") ? 4 : 3, message, hint);
	made_end(&f);
}

static void assert_memory(const struct fetch_value *v, size_t n, int64_t last)
{
	assert_int_equal(v->at.where, VARIABLE_MEMORY);
	assert_int_equal(v->at.n_steps, n);
	assert_int_equal(v->at.steps[n - 1], last);
}

static void a_variable_is_where_it_is(void **state)
{
	struct debug_variable d = { .name = "v", .type = &int_type.type };

	(void)state;
	d.place = (struct variable_place){ .where = VARIABLE_MEMORY, .reg = 3, .n_steps = 2 };

	struct fetch_value v = fetch_value_of(&d);

	assert_string_equal(v.name, "v");
	assert_ptr_equal(v.type, &int_type.type);
	assert_int_equal(v.at.reg, 3);
	assert_int_equal(v.own_steps, 2);
	assert_null(v.variable);
	assert_null(v.symbol);
	d.n_pieces = 1;
	v = fetch_value_of(&d);
	assert_ptr_equal(v.variable, &d);
}

static void a_declared_variable_is_known_by_its_symbol(void **state)
{
	struct debug_variable d = { .name = "v", .type = &int_type.type, .is_declared = true };
	struct fetch_value v = fetch_value_of(&d);

	(void)state;
	assert_string_equal(v.symbol, "v");
	assert_int_equal(v.own_steps, 1);
	assert_memory(&v, 1, 0);
	assert_true(v.at.is_static);
}

static void members_move_the_place(void **state)
{
	struct fetch_value v = value(&pair_type, VARIABLE_MEMORY);

	(void)state;
	follows(&v, (struct probe_field[]){ DOT("second") }, 1);
	assert_memory(&v, 1, 108);
	assert_ptr_equal(v.type, &long_type.type);
	v = value(&pair_type, VARIABLE_MEMORY);
	follows(&v, (struct probe_field[]){ DOT("inside"), DOT("deep") }, 2);
	assert_memory(&v, 1, 128);
	assert_ptr_equal(v.type, &int_type.type);
}

static void arrows_follow_pointers(void **state)
{
	struct fetch_value v = value(&pointer_type, VARIABLE_REGISTER);

	(void)state;
	follows(&v, (struct probe_field[]){ ARROW("second") }, 1);
	assert_memory(&v, 1, 8);
	v = value(&typedef_type, VARIABLE_MEMORY);
	follows(&v, (struct probe_field[]){ ARROW("next"), ARROW("second") }, 2);
	assert_memory(&v, 3, 8);
	assert_int_equal(v.at.steps[0], 100);
	assert_int_equal(v.at.steps[1], 16);
	assert_int_equal(v.own_steps, 1);
	/* The value itself is the address. */
	v = value(&pointer_type, VARIABLE_ADDRESS);
	follows(&v, (struct probe_field[]){ ARROW("second") }, 1);
	assert_memory(&v, 1, 108);
}

static void references_are_followed_with_a_dot(void **state)
{
	struct fetch_value v = value(&reference_type, VARIABLE_REGISTER);

	(void)state;
	follows(&v, (struct probe_field[]){ DOT("second") }, 1);
	assert_memory(&v, 1, 8);
	is_refused(value(&reference_type, VARIABLE_REGISTER), (struct probe_field)ARROW("second"),
		   -EINVAL, "this is inside of what is before it: write '.second'", NULL);
}

static void bit_fields_keep_their_unit(void **state)
{
	struct fetch_value v = value(&pair_type, VARIABLE_MEMORY);

	(void)state;
	follows(&v, (struct probe_field[]){ DOT("bits") }, 1);
	assert_memory(&v, 1, 104);
	assert_int_equal(v.bit_offset, 3);
	assert_int_equal(v.bit_size, 5);
	assert_int_equal(v.bit_unit, 32);
	/* Another member is not a bit field. */
	v = value(&pair_type, VARIABLE_MEMORY);
	v.bit_size = v.bit_offset = v.bit_unit = 9;
	follows(&v, (struct probe_field[]){ DOT("first") }, 1);
	assert_int_equal(v.bit_offset, 0);
	assert_int_equal(v.bit_size, 0);
	assert_int_equal(v.bit_unit, 0);
}

static void indexes_count_elements(void **state)
{
	struct fetch_value v = value(&pointer_type, VARIABLE_REGISTER);

	(void)state;
	follows(&v, (struct probe_field[]){ INDEX(2) }, 1);
	assert_memory(&v, 1, 64);
	assert_ptr_equal(v.type, &pair_type.type);
	v = value(&pointer_type, VARIABLE_REGISTER);
	follows(&v, (struct probe_field[]){ INDEX(-2), DOT("second") }, 2);
	assert_memory(&v, 1, -56);
	v = value(&array_type, VARIABLE_MEMORY);
	follows(&v, (struct probe_field[]){ INDEX(1), DOT("second") }, 2);
	assert_memory(&v, 1, 140);
	/* An array is its own address; the access is to its first element. */
	v = value(&array_type, VARIABLE_MEMORY);
	follows(&v, (struct probe_field[]){ ARROW("second") }, 1);
	assert_memory(&v, 1, 108);
	v = value(&largest_pointer_type, VARIABLE_REGISTER);
	follows(&v, (struct probe_field[]){ INDEX(1) }, 1);
	assert_memory(&v, 1, INT32_MAX);
}

static void signs_are_as_in_c(void **state)
{
	(void)state;
	is_refused(value(&pointer_type, VARIABLE_REGISTER), (struct probe_field)DOT("first"),
		   -EINVAL, "this follows a pointer: write '->first'", NULL);
	is_refused(value(&array_type, VARIABLE_MEMORY), (struct probe_field)DOT("first"), -EINVAL,
		   "what is before it is an array: write '[0].first'", NULL);
	is_refused(value(&pair_type, VARIABLE_MEMORY), (struct probe_field)ARROW("first"), -EINVAL,
		   "this is inside of what is before it: write '.first'", NULL);
}

static void members_that_are_not_there_are_named(void **state)
{
	(void)state;
	is_refused(value(&pair_type, VARIABLE_MEMORY), (struct probe_field)DOT("frist"), -EINVAL,
		   "'struct pair' has no member 'frist'", "did you mean 'first'?");
	is_refused(value(&pair_type, VARIABLE_MEMORY), (struct probe_field)DOT("zzzzzzzz"), -EINVAL,
		   "'struct pair' has no member 'zzzzzzzz'", NULL);
	is_refused(value(&declared_pointer_type, VARIABLE_REGISTER),
		   (struct probe_field)ARROW("first"), -EINVAL,
		   "'struct declared' has no member 'first'",
		   "the source file of this function only declares it");
	is_refused(value(&int_type, VARIABLE_MEMORY), (struct probe_field)DOT("first"), -EINVAL,
		   "what is before it is of the type 'int', which has no members", NULL);
	is_refused(value(&int_pointer_type, VARIABLE_MEMORY), (struct probe_field)ARROW("first"),
		   -EINVAL, "of the type 'int*', which has no members", NULL);
	is_refused(value(NULL, VARIABLE_MEMORY), (struct probe_field)ARROW("first"), -EINVAL,
		   "which has no members", NULL);
}

static void elements_need_a_size(void **state)
{
	(void)state;
	is_refused(value(&int_type, VARIABLE_MEMORY), (struct probe_field)INDEX(1), -EINVAL,
		   "what is before it is a int, not an array or pointer", NULL);
	is_refused(value(NULL, VARIABLE_MEMORY), (struct probe_field)INDEX(1), -EINVAL,
		   "not an array or pointer", NULL);
	is_refused(value(&void_pointer_type, VARIABLE_REGISTER), (struct probe_field)INDEX(1),
		   -EINVAL, "the size of its elements is not known", NULL);
	is_refused(value(&huge_pointer_type, VARIABLE_REGISTER), (struct probe_field)INDEX(0),
		   -EINVAL, "the size of its elements is not known", NULL);
	is_refused(value(&pointer_type, VARIABLE_REGISTER), (struct probe_field)INDEX(INT64_MAX),
		   -EINVAL, "the size of its elements is not known", NULL);
}

static void so_many_pointers_are_followed(void **state)
{
	struct fetch_value v = value(&pointer_type, VARIABLE_MEMORY);

	(void)state;
	v.at.n_steps = VARIABLE_STEPS_MAX - 1;
	follows(&v, (struct probe_field[]){ ARROW("second") }, 1);
	assert_memory(&v, VARIABLE_STEPS_MAX, 8);
	v = value(&pointer_type, VARIABLE_MEMORY);
	v.at.n_steps = VARIABLE_STEPS_MAX;
	is_refused(v, (struct probe_field)ARROW("second"), -EINVAL,
		   "the kernel cannot follow so many pointers", NULL);
}

static void parts_of_registers_are_counted(void **state)
{
	struct fetch_value v = value(&inner_type, VARIABLE_REGISTER);

	(void)state;
	follows(&v, (struct probe_field[]){ DOT("deep") }, 1);
	assert_int_equal(v.at.where, VARIABLE_REGISTER);
	assert_int_equal(v.in_register, 4);
	v = value(&inner_type, VARIABLE_REGISTER);
	v.in_register = 2;
	follows(&v, (struct probe_field[]){ DOT("deep") }, 1);
	assert_int_equal(v.in_register, 6);
	/* A pointer in a part of a register cannot be followed. */
	v = value(&pointer_type, VARIABLE_REGISTER);
	v.in_register = 1;
	is_refused(v, (struct probe_field)ARROW("first"), -EINVAL,
		   "the kernel cannot follow a pointer that is a part of a register", NULL);
	v = value(&pointer_type, VARIABLE_MEMORY);
	v.bit_size = 1;
	is_refused(v, (struct probe_field)ARROW("first"), -EINVAL, "part of a register", NULL);
}

static void parts_of_constants_are_shifted(void **state)
{
	struct fetch_value v = value(&inner_type, VARIABLE_CONSTANT);

	(void)state;
	v.at.value = 0x1122334455667788;
	follows(&v, (struct probe_field[]){ DOT("deep") }, 1);
	assert_int_equal(v.at.value, 0x11223344);
	assert_int_equal(v.in_register, 0);
	/* Bytes beyond the first 8 are not known. */
	v = value(&pair_type, VARIABLE_CONSTANT);
	v.at.value = 0x1122;
	follows(&v, (struct probe_field[]){ DOT("second") }, 1);
	assert_int_equal(v.at.value, 0x1122);
}

static struct debug_variable in_pieces(void)
{
	struct debug_variable d = { .name = "a", .type = &pair_type.type, .n_pieces = 3 };

	d.pieces[0] = (struct variable_place){ .where = VARIABLE_REGISTER, .reg = 4, .size = 8 };
	d.pieces[1] = (struct variable_place){
		.where = VARIABLE_MEMORY, .reg = 5, .n_steps = 1, .offset = 8, .size = 8
	};
	d.pieces[2] = (struct variable_place){
		.where = VARIABLE_REGISTER, .reg = 6, .offset = 16, .size = 4
	};
	return d;
}

static void the_piece_with_a_member_is_chosen(void **state)
{
	struct debug_variable d = in_pieces();
	struct fetch_value v = fetch_value_of(&d);

	(void)state;
	follows(&v, (struct probe_field[]){ DOT("first") }, 1);
	assert_int_equal(v.at.reg, 4);
	assert_int_equal(v.in_register, 0);
	v = fetch_value_of(&d);
	follows(&v, (struct probe_field[]){ DOT("bits") }, 1);
	assert_int_equal(v.at.reg, 4);
	assert_int_equal(v.in_register, 4);
	v = fetch_value_of(&d);
	follows(&v, (struct probe_field[]){ DOT("second") }, 1);
	assert_int_equal(v.at.reg, 5);
	assert_memory(&v, 1, 0);
	assert_int_equal(v.own_steps, 1);
	/* The piece must contain the whole unit of a bit field. */
	d.pieces[0].size = 7;
	is_refused(fetch_value_of(&d), (struct probe_field)DOT("bits"), -ENODATA,
		   "this part of 'a' has no place here", NULL);
	d.pieces[1].offset = 4;
	d.pieces[1].size = 12;
	v = fetch_value_of(&d);
	follows(&v, (struct probe_field[]){ DOT("second") }, 1);
	assert_memory(&v, 1, 4);
	assert_int_equal(v.in_register, 0);
}

static void a_member_in_no_piece_has_no_place(void **state)
{
	struct debug_variable d = in_pieces();

	(void)state;
	/* One member is present in part, and one is missing completely. */
	is_refused(fetch_value_of(&d), (struct probe_field)DOT("next"), -ENODATA,
		   "this part of 'a' has no place here", NULL);
	is_refused(fetch_value_of(&d), (struct probe_field)DOT("inside"), -ENODATA,
		   "this part of 'a' has no place here", NULL);
}

static void what_has_no_place_is_refused(void **state)
{
	(void)state;
	is_refused(value(&pair_type, VARIABLE_THREAD), (struct probe_field)DOT("first"), -ENODATA,
		   "each thread's own", NULL);
	is_refused(value(&pointer_type, VARIABLE_NOWHERE), (struct probe_field)ARROW("first"),
		   -ENODATA, "optimised out", NULL);
	is_refused(value(&pointer_type, VARIABLE_CONSTANT), (struct probe_field)ARROW("first"),
		   -ENODATA, "in a way that probes cannot follow", NULL);
	is_refused(value(&pointer_type, VARIABLE_CONSTANT), (struct probe_field)INDEX(0), -ENODATA,
		   "in a way that probes cannot follow", NULL);
}

static void the_pointee_of_a_value_is_marked_as_the_argument(void **state)
{
	struct fetch_value v = value(&pointer_type, VARIABLE_REGISTER);
	struct made_fetch f;

	(void)state;
	made_begin(&f, EM_AARCH64);
	assert_int_equal(fetch_value_pointee(&f.fetch, &v), 0);
	assert_memory(&v, 1, 0);
	v.bit_size = 3;
	assert_int_equal(fetch_value_pointee(&f.fetch, &v), -EINVAL);
	made_says(&f, 2, 4, "part of a register", NULL);
	made_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_variable_is_where_it_is),
		cmocka_unit_test(a_declared_variable_is_known_by_its_symbol),
		cmocka_unit_test(members_move_the_place),
		cmocka_unit_test(arrows_follow_pointers),
		cmocka_unit_test(references_are_followed_with_a_dot),
		cmocka_unit_test(bit_fields_keep_their_unit),
		cmocka_unit_test(indexes_count_elements),
		cmocka_unit_test(signs_are_as_in_c),
		cmocka_unit_test(members_that_are_not_there_are_named),
		cmocka_unit_test(elements_need_a_size),
		cmocka_unit_test(so_many_pointers_are_followed),
		cmocka_unit_test(parts_of_registers_are_counted),
		cmocka_unit_test(parts_of_constants_are_shifted),
		cmocka_unit_test(the_piece_with_a_member_is_chosen),
		cmocka_unit_test(a_member_in_no_piece_has_no_place),
		cmocka_unit_test(what_has_no_place_is_refused),
		cmocka_unit_test(the_pointee_of_a_value_is_marked_as_the_argument),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
