/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <linux/btf.h>
#include <string.h>

#include "tools/trace/struct-types-work.h"

/* The offsets of the texts. */
enum {
	T_INT = 1,
	T_CHAR = 5,
	T_OUTER = 10,
	T_INNER = 16,
	T_NAME = 22,
	T_COLOUR = 27,
	T_RED = 34,
	T_BLUE = 38,
	T_LOOP = 43,
	T_NEXT = 48,
};

static const char strings[] = "\0int\0char\0outer\0inner\0name\0colour\0RED\0BLUE\0loop\0next";

#define KIND(k, n) ((uint32_t)BTF_KIND_##k << 24 | (n))

struct image {
	struct btf_header head;
	uint32_t types[64];
	char strings[sizeof(strings)];
};

/*
 * 1 int, 2 char, 3 char[4], 4 enum colour { BLUE = 2, RED = 1 }, 5 struct inner { int next; },
 * 6 struct outer { char name[4]; enum colour colour; struct inner inner; struct inner *next; },
 * 7 pointer to 5, 8 struct loop { struct loop next; }, which no compiler makes.
 */
static const uint32_t types[] = {
	T_INT,
	KIND(INT, 0),
	4,
	BTF_INT_SIGNED << 24 | 32, /* 1 */
	T_CHAR,
	KIND(INT, 0),
	1,
	BTF_INT_SIGNED << 24 | 8, /* 2 */
	0,
	KIND(ARRAY, 0),
	0,
	2,
	1,
	4, /* 3 */
	T_COLOUR,
	KIND(ENUM, 2),
	4,
	T_BLUE,
	2,
	T_RED,
	1, /* 4 */
	T_INNER,
	KIND(STRUCT, 1),
	4,
	T_NEXT,
	1,
	0, /* 5 */
	T_OUTER,
	KIND(STRUCT, 4),
	24,
	T_NAME,
	3,
	0, /* 6 */
	T_COLOUR,
	4,
	32,
	T_INNER,
	5,
	64,
	T_NEXT,
	7,
	128,
	0,
	KIND(PTR, 0),
	5, /* 7 */
	T_LOOP,
	KIND(STRUCT, 1),
	8,
	T_NEXT,
	8,
	0, /* 8 */
};

static struct kernel_types *open_image(struct image *im)
{
	struct kernel_types *t = NULL;

	*im = (struct image){ .head = { .magic = BTF_MAGIC,
					.hdr_len = sizeof(im->head),
					.type_len = sizeof(types),
					.str_off = sizeof(im->types),
					.str_len = sizeof(strings) } };
	memcpy(im->types, types, sizeof(types));
	memcpy(im->strings, strings, sizeof(strings));
	assert_int_equal(kernel_types_over(im, sizeof(*im), &t), 0);
	return t;
}

static void a_struct_has_its_members(void **state)
{
	struct image im;
	struct kernel_types *t = open_image(&im);
	const struct struct_layout *l = kernel_types_struct(t, "outer");

	(void)state;
	assert_non_null(l);
	assert_string_equal(l->name, "outer");
	assert_int_equal(l->size, 24);
	assert_int_equal(l->n, 4);
	assert_int_equal(l->members[0].kind, ARG_STRING);
	assert_int_equal(l->members[0].count, 4);
	assert_int_equal(l->members[1].kind, ARG_ENUM);
	assert_string_equal(l->members[1].values->names[0].name, "RED");
	assert_int_equal(l->members[2].kind, ARG_STRUCT);
	assert_int_equal(l->members[2].offset, 8);
	assert_string_equal(l->members[2].layout->members[0].name, "next");
	assert_true(l->members[2].layout->members[0].is_signed);
	assert_int_equal(l->members[3].kind, ARG_HEX);
	kernel_types_free(t);
}

static void an_enum_has_its_names_in_order(void **state)
{
	struct image im;
	struct kernel_types *t = open_image(&im);
	const struct value_table *v = kernel_types_enum(t, "colour");

	(void)state;
	assert_non_null(v);
	assert_int_equal(v->n, 2);
	assert_string_equal(v->names[0].name, "RED");
	assert_string_equal(v->names[1].name, "BLUE");
	kernel_types_free(t);
}

static void what_was_asked_for_stays(void **state)
{
	struct image im;
	struct kernel_types *t = open_image(&im);

	(void)state;
	assert_ptr_equal(kernel_types_struct(t, "inner"), kernel_types_struct(t, "inner"));
	assert_ptr_equal(kernel_types_struct(t, "outer")->members[2].layout,
			 kernel_types_struct(t, "inner"));
	assert_ptr_equal(kernel_types_enum(t, "colour"), kernel_types_enum(t, "colour"));
	kernel_types_free(t);
}

static void unknown_names_are_nothing(void **state)
{
	struct image im;
	struct kernel_types *t = open_image(&im);

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_null(kernel_types_struct(t, "colour"));
		assert_null(kernel_types_enum(t, "outer"));
		assert_null(kernel_types_struct(t, ""));
	}
	kernel_types_free(t);
}

static void a_struct_in_itself_ends(void **state)
{
	struct image im;
	struct kernel_types *t = open_image(&im);
	const struct struct_layout *l = kernel_types_struct(t, "loop");

	(void)state;
	assert_non_null(l);
	assert_int_equal(l->n, 0);
	kernel_types_free(t);
}

static void damaged_bytes_are_refused(void **state)
{
	struct kernel_types *t = NULL;

	(void)state;
	assert_int_equal(kernel_types_over("BTF?", 4, &t), -EBADMSG);
	assert_null(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_struct_has_its_members),
		cmocka_unit_test(an_enum_has_its_names_in_order),
		cmocka_unit_test(what_was_asked_for_stays),
		cmocka_unit_test(unknown_names_are_nothing),
		cmocka_unit_test(a_struct_in_itself_ends),
		cmocka_unit_test(damaged_bytes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
