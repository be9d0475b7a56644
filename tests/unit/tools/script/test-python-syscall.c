/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>

#include "tools/script/python/syscall.h"

static void a_number_means_something_else_on_each_machine(void **state)
{
	(void)state;
	assert_string_equal(script_syscall_name("x86_64", NULL, 0), "read");
	assert_string_equal(script_syscall_name("aarch64", NULL, 63), "read");
	assert_string_equal(script_syscall_name("aarch64", "x86_64", 0), "read");
	assert_string_equal(script_syscall_name(NULL, "i386", 3), "read");
}

static void what_is_not_known_has_no_name(void **state)
{
	(void)state;
	assert_null(script_syscall_name("x86_64", NULL, -1));
	assert_null(script_syscall_name("x86_64", NULL, 99999));
	assert_null(script_syscall_name("x86_64", NULL, 0x7fffffffffffffffL));
	assert_null(script_syscall_name("vax", NULL, 3));
	assert_null(script_syscall_name("x86_64", "vax", 3));
	assert_null(script_syscall_name("x86_64", "", 3));
}

static void a_recording_that_names_no_machine_is_of_this_one(void **state)
{
	bool found = false;

	(void)state;
	for (long nr = 0; nr < 1000; nr++)
		found |= script_syscall_name(NULL, NULL, nr) != NULL;
	assert_true(found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_means_something_else_on_each_machine),
		cmocka_unit_test(what_is_not_known_has_no_name),
		cmocka_unit_test(a_recording_that_names_no_machine_is_of_this_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
