/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/c-type.h"
#include "dwarf/debug-function.h"
#include "variables-elf.h"

static void a_declared_variable_is_found_by_its_name(void **state)
{
	struct opened_variables o;
	const struct c_type *t;
	uint64_t start = 0;

	(void)state;
	variables_open(&o, NULL, 0);
	assert_null(debug_static_type(o.info, o.place.addr, 0x404008, NULL, 0, &start));
	assert_null(debug_static_type(o.info, o.place.addr, 0x404008, "other", 0, &start));
	t = debug_static_type(o.info, o.place.addr, 0x404002, "elsewhere", 0x404000, &start);
	assert_non_null(t);
	assert_string_equal(t->name, "int");
	assert_int_equal(start, 0x404000);
	assert_ptr_equal(debug_named_type(o.info, o.place.addr, "elsewhere"), t);
	assert_null(debug_named_type(o.info, o.place.addr, "other"));
	assert_null(debug_thread_type(o.info, o.place.addr, 0, &start));
	debug_info_free(o.info);
}

static void code_outside_of_all_units_has_no_variables(void **state)
{
	struct opened_variables o;
	uint64_t start = 0;

	(void)state;
	variables_open(&o, NULL, 0);
	assert_null(debug_static_type(o.info, 1, 0x404000, "elsewhere", 0x404000, &start));
	assert_null(debug_named_type(o.info, 1, "elsewhere"));
	assert_null(debug_thread_type(o.info, 1, 0, &start));
	debug_info_free(o.info);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_declared_variable_is_found_by_its_name),
		cmocka_unit_test(code_outside_of_all_units_has_no_variables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
