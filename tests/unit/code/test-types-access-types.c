/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "code/types/access-types.h"
#include "example-types.h"

static void without_a_function_nothing_is_known(void **state)
{
	_cleanup_(access_types_freep) struct access_types *a = access_types_new();
	struct access_type t = access_types_find(a, NULL, NULL, 0x1000);

	(void)state;
	assert_int_equal(t.status, ACCESS_NO_SYMBOL);
	assert_string_equal(t.type->name, "(unknown)");
	assert_string_equal(data_type_stack.name, "(stack operation)");
}

static void fields_are_named(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct data_type t = { .name = "struct node", .size = 40, .type = &types[T_NODE] };

	(void)state;
	access_type_field(&(struct access_type){ .type = &data_type_unknown }, &out);
	assert_int_equal(out.length, 0);
	access_type_field(&(struct access_type){ .type = &t, .offset = 8 }, &out);
	assert_string_equal(out.chars, "id");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_function_nothing_is_known),
		cmocka_unit_test(fields_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
