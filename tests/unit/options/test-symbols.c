/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/symbols.h"

static void files_with_symbols_are_named(void **state)
{
	(void)state;
	struct symbol_request o = { 0 };

	assert_int_equal(PARSE(symbol_options, &o, "-k", "vm", "--kallsyms=ka", "--symfs", "/d"),
			 0);
	assert_string_equal(o.vmlinux, "vm");
	assert_string_equal(o.kallsyms, "ka");
	assert_string_equal(o.symfs, "/d");
}

static void what_is_on_by_default_can_be_switched_off(void **state)
{
	(void)state;
	struct symbol_request o = { 0 };

	assert_int_equal(PARSE(symbol_options, &o, "--no-demangle", "--no-inline"), 0);
	assert_int_equal(o.demangle, CHOICE_NO);
	assert_int_equal(o.inlines, CHOICE_NO);
	assert_int_equal(o.demangle_kernel, CHOICE_UNSAID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_with_symbols_are_named),
		cmocka_unit_test(what_is_on_by_default_can_be_switched_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
