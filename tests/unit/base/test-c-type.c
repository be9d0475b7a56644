/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/c-type.h"

/*
 * Returns the target of a type: the one that is its id further on in the array, or NULL if the id
 * is 0.
 */
static const struct c_type *next_of(const struct c_type_source *s, const struct c_type *t)
{
	(void)s;
	return t->id ? t + t->id : NULL;
}

static const struct c_type_source source = { .pointer_size = 8, .target = next_of };

#define TYPE(k, ...)                                                                               \
	{                                                                                          \
		.source = &source, .kind = k, __VA_ARGS__                                          \
	}

static void check_text(const struct c_type *t, const char *expected)
{
	char *text = c_type_text(t);

	assert_string_equal(text, expected);
	free(text);
}

static void pointers_and_arrays_are_stars(void **state)
{
	const struct c_type pointers[] = { TYPE(C_POINTER, .id = 1), TYPE(C_CONST, .id = 1),
					   TYPE(C_POINTER, .id = 1),
					   TYPE(C_INTEGER, .name = "int") };
	const struct c_type rows[] = { TYPE(C_ARRAY, .id = 1), TYPE(C_ARRAY, .id = 1),
				       TYPE(C_INTEGER, .name = "int") };
	const struct c_type list[] = { TYPE(C_POINTER, .id = 1), TYPE(C_ARRAY, .id = 1),
				       TYPE(C_INTEGER, .name = "int") };

	(void)state;
	check_text(pointers, "int**");
	check_text(rows, "int*");
	check_text(list, "int**");
}

static void names_are_kept_and_kinds_are_said(void **state)
{
	const struct c_type alias[] = { TYPE(C_POINTER, .id = 1),
					TYPE(C_TYPEDEF, .id = 1, .name = "point_t"),
					TYPE(C_STRUCT, .name = "point") };
	const struct c_type function[] = { TYPE(C_POINTER, .id = 1), TYPE(C_FUNCTION, .id = 0) };

	(void)state;
	check_text(alias, "point_t*");
	check_text(alias + 2, "struct point");
	check_text(function, "(function_type)*");
}

static void what_has_no_name_is_unknown(void **state)
{
	const struct c_type nothing[] = { TYPE(C_POINTER, .id = 0) };
	const struct c_type nameless[] = { TYPE(C_POINTER, .id = 1), TYPE(C_STRUCT, .size = 4) };
	const struct c_type atomic[] = { TYPE(C_ATOMIC, .id = 1),
					 TYPE(C_INTEGER, .name = "int", .size = 4) };

	(void)state;
	check_text(nothing, "(unknown_type)");
	check_text(nameless, "(unknown_type)");
	check_text(atomic, "(unknown_type)");
	check_text(NULL, "(unknown_type)");
}

static void circles_end(void **state)
{
	struct c_type circle[] = { TYPE(C_CONST, .id = 1), TYPE(C_VOLATILE, .id = (uint64_t)-1) };

	(void)state;
	assert_null(c_type_bare(circle));
	assert_int_equal(c_type_size(circle), 0);
	check_text(circle, "(unknown_type)");
}

static void sizes_are_computed_where_they_are_not_said(void **state)
{
	const struct c_type rows[] = { TYPE(C_TYPEDEF, .id = 1), TYPE(C_ARRAY, .id = 1, .count = 2),
				       TYPE(C_ARRAY, .id = 1, .count = 3),
				       TYPE(C_INTEGER, .size = 4) };
	const struct c_type pointer = TYPE(C_POINTER, .id = 0);
	const struct c_type huge[] = { TYPE(C_ARRAY, .id = 1, .count = UINT64_MAX),
				       TYPE(C_INTEGER, .size = 4) };

	(void)state;
	assert_int_equal(c_type_size(rows), 24);
	assert_int_equal(c_type_size(&pointer), 8);
	assert_int_equal(c_type_size(huge), 0);
	assert_int_equal(c_type_size(NULL), 0);
}

static void bits_are_in_the_unit_of_their_type_or_in_one_that_has_them(void **state)
{
	struct c_member m = { 0 };

	(void)state;
	assert_true(c_member_set_bits(&m, 35, 5, 4));
	assert_int_equal(m.offset, 4);
	assert_int_equal(m.bit_offset, 3);
	assert_int_equal(m.bit_unit, 32);
	/* Packed: no word holds bits 30 to 33, but two bytes do. */
	assert_true(c_member_set_bits(&m, 30, 4, 4));
	assert_int_equal(m.offset, 3);
	assert_int_equal(m.bit_offset, 6);
	assert_int_equal(m.bit_unit, 16);
	assert_false(c_member_set_bits(&m, 7, 64, 8));
	assert_false(c_member_set_bits(&m, UINT64_MAX, 1, 4));
}

static void check_name(const struct c_type *t, const char *expected)
{
	char *name = c_type_name(t);

	assert_string_equal(name, expected);
	free(name);
}

static void reports_name_arrays_as_such(void **state)
{
	const struct c_type list[] = { TYPE(C_ARRAY, .id = 1), TYPE(C_CONST, .id = 1),
				       TYPE(C_INTEGER, .name = "int") };
	const struct c_type anonymous[] = { TYPE(C_STRUCT, .id = 0) };
	const struct c_type function[] = { TYPE(C_POINTER, .id = 1), TYPE(C_FUNCTION, .id = 0) };
	const struct c_type nothing[] = { TYPE(C_POINTER, .id = 0) };

	(void)state;
	check_name(list, "int[]");
	check_name(anonymous, "struct ");
	check_name(function, "(function_type)*");
	check_name(nothing, "void*");
	check_name(NULL, "void");
}

static void types_without_members_have_no_fields(void **state)
{
	const struct c_type number = TYPE(C_INTEGER, .name = "int");
	const struct c_type opaque = TYPE(C_STRUCT, .name = "sock");
	const struct c_field *fields = NULL;

	(void)state;
	assert_int_equal(c_type_fields(&number, &fields), 0);
	assert_int_equal(c_type_fields(&opaque, &fields), 0);
	assert_null(fields);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_name_arrays_as_such),
		cmocka_unit_test(types_without_members_have_no_fields),
		cmocka_unit_test(pointers_and_arrays_are_stars),
		cmocka_unit_test(names_are_kept_and_kinds_are_said),
		cmocka_unit_test(what_has_no_name_is_unknown),
		cmocka_unit_test(circles_end),
		cmocka_unit_test(sizes_are_computed_where_they_are_not_said),
		cmocka_unit_test(bits_are_in_the_unit_of_their_type_or_in_one_that_has_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
