/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include <string.h>

#include "probe/probe-def.h"

static void point_is(struct probe_point p, const char *expected)
{
	char *text = probe_point_text(&p);

	assert_string_equal(text, expected);
	free(text);
}

static void the_parts_of_a_point_have_their_order(void **state)
{
	(void)state;
	point_is((struct probe_point){ .function = "f" }, "f");
	point_is((struct probe_point){ .function = "f", .offset = 12, .file = "t.c" }, "f+12@t.c");
	point_is(
		(struct probe_point){ .function = "f", .line = 3, .has_line = true, .file = "t.c" },
		"f:3@t.c");
	point_is((struct probe_point){ .function = "f", .is_return = true, .file = "t.c" },
		 "f%return@t.c");
	point_is((struct probe_point){ .file = "t.c", .line = 12, .has_line = true }, "@t.c:12");
	point_is((struct probe_point){ .has_address = true, .address = 0xabc, .is_return = true },
		 "0xabc%return");
	point_is((struct probe_point){ .has_address = true }, "0x0");
}

static void what_is_not_given_is_left_out(void **state)
{
	(void)state;
	point_is((struct probe_point){ .function = "f", .line = 3, .address = 4, .pattern = "x" },
		 "f");
	point_is((struct probe_point){ .file = "t.c", .line = 3 }, "@t.c");
}

static void arg_is(const struct probe_arg *a, const char *text, const char *name)
{
	char *said = probe_arg_text(a), *called = probe_arg_name(a);

	assert_string_equal(said, text);
	if (name)
		assert_string_equal(called, name);
	else
		assert_null(called);
	free(said);
	free(called);
}

static void a_variable_is_called_after_itself(void **state)
{
	(void)state;
	arg_is(&(struct probe_arg){ .what = "a", .is_variable = true }, "a", "a");
	arg_is(&(struct probe_arg){ .what = "ns::a", .is_variable = true }, "ns::a", "a");
	arg_is(&(struct probe_arg){ .what = "a", .is_variable = true, .name = "n" }, "n=a", "n");
	arg_is(&(struct probe_arg){ .what = "a", .is_variable = true, .type = "u32" }, "a:u32",
	       "a_u32");
	arg_is(&(struct probe_arg){ .what = "ns::a", .is_variable = true, .type = "b3@0/32" },
	       "ns::a:b3@0/32", "a_b3");
	arg_is(&(struct probe_arg){ .what = "a", .is_variable = true, .type = "u8[4]" }, "a:u8[4]",
	       "a_u8");
}

static void what_is_the_kernels_own_has_no_name(void **state)
{
	(void)state;
	arg_is(&(struct probe_arg){ .what = "%x0" }, "%x0", NULL);
	arg_is(&(struct probe_arg){ .what = "%x0", .type = "u8" }, "%x0:u8", NULL);
	arg_is(&(struct probe_arg){ .what = "%x0", .name = "n", .type = "u8" }, "n=%x0:u8", "n");
}

static void members_give_their_name(void **state)
{
	struct probe_field fields[] = {
		{ .name = "b", .is_arrow = true }, { .name = "c" }, { .index = 3 }, { .index = -4 }
	};
	struct probe_arg a = { .what = "a", .is_variable = true, .fields = fields, .n_fields = 4 };

	(void)state;
	arg_is(&a, "c=a->b.c[3][-4]", "c");
	a.n_fields = 1;
	arg_is(&a, "b=a->b", "b");
	a.type = "u32";
	arg_is(&a, "b=a->b:u32", "b");
	a.name = "own";
	arg_is(&a, "own=a->b:u32", "own");
}

static void an_index_alone_leaves_the_variables_name(void **state)
{
	struct probe_field fields[] = { { .index = 3 }, { .index = 4 } };
	struct probe_arg a = { .what = "a", .is_variable = true, .fields = fields, .n_fields = 2 };

	(void)state;
	arg_is(&a, "a=a[3][4]", "a");
	a.type = "u32";
	arg_is(&a, "a=a[3][4]:u32", "a");
}

static void long_names_are_cut_at_32_characters(void **state)
{
	char what[40];
	struct probe_arg a = { .what = what, .is_variable = true };

	(void)state;
	strcpy(what, "n2345678901234567890123456789012");
	arg_is(&a, what, what);
	strcpy(what, "n23456789012345678901234567890123");
	arg_is(&a, what, "n2345678901234567890123456789012");
	/* A typed name is not changed. */
	a.name = "n23456789012345678901234567890123";
	arg_is(&a, "n23456789012345678901234567890123=n23456789012345678901234567890123", a.name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_parts_of_a_point_have_their_order),
		cmocka_unit_test(what_is_not_given_is_left_out),
		cmocka_unit_test(a_variable_is_called_after_itself),
		cmocka_unit_test(what_is_the_kernels_own_has_no_name),
		cmocka_unit_test(members_give_their_name),
		cmocka_unit_test(an_index_alone_leaves_the_variables_name),
		cmocka_unit_test(long_names_are_cut_at_32_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
