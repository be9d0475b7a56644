/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "kernel/ftrace-names.h"

static const char text[] = "ffff000000001000 T vfs_read\n"
			   "ffff000000002000 t first_alias\n"
			   "ffff000000002000 T second_alias\n"
			   "no line\n"
			   "ffff000000003000 t loop_probe\t[loop]\n"
			   "ffff000000001800 T vfs_write\n";

static void names_are_those_that_the_kernel_prints(void **state)
{
	struct function_names *n = function_names_parse(text, strlen(text));

	(void)state;
	assert_string_equal(function_names_find(n, 0xffff000000001000), "vfs_read");
	assert_string_equal(function_names_find(n, 0xffff000000001804), "vfs_write");
	assert_string_equal(function_names_find(n, 0xffff000000002008), "first_alias");
	assert_string_equal(function_names_find(n, 0xffff000000003000), "loop_probe [loop]");
	assert_string_equal(function_names_find(n, 0x1000), "0x1000");
	function_names_free(n);
}

static void without_names_there_are_addresses(void **state)
{
	struct function_names *n = function_names_parse("", 0);

	(void)state;
	assert_string_equal(function_names_find(n, UINT64_MAX), "0xffffffffffffffff");
	function_names_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_those_that_the_kernel_prints),
		cmocka_unit_test(without_names_there_are_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
