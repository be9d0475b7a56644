/* SPDX-License-Identifier: MIT */
/* Tests the symbols of targets: lists of the kernel's symbols, and names with versions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "probe/target-symbols.h"
#include "symbol/scratch.h"

static const char listed[] = "0000000000001000 T _text\n"
			     "0000000000001000 T first\n"
			     "0000000000001040 t second\n"
			     "0000000000002000 D data\n"
			     "0000000000002100 r constant\n"
			     "no line\n"
			     "0000000000009000 t second\t[dm_mod]\n"
			     "0000000000009010 T third\t[dm_mod]\n"
			     "0000000000009800 T fourth\t[dm]\n";

static int read_text(const char *dir, const char *text, const char *module,
		     struct target_symbols *l)
{
	_cleanup_(freep) char *path = scratch_path(dir, "kallsyms");
	int r;

	scratch_write(path, text);
	*l = (struct target_symbols){ 0 };
	r = target_symbols_read_list(l, path, module);
	target_symbols_settle(l);
	return r;
}

static void the_kernels_list_has_its_modules(void **state)
{
	struct target_symbols l;

	assert_int_equal(read_text(*state, listed, NULL, &l), 0);
	assert_int_equal(l.n, 7);
	assert_string_equal(l.items[2].name, "second");
	assert_null(l.items[2].module);
	assert_true(l.items[2].is_function);
	assert_string_equal(l.items[3].name, "data");
	assert_false(l.items[3].is_function);
	assert_int_equal(l.items[4].module_length, 6);
	assert_memory_equal(l.items[4].module, "dm_mod", 6);
	target_symbols_done(&l);
}

static void a_module_goes_by_either_dash(void **state)
{
	struct target_symbols l;

	assert_int_equal(read_text(*state, listed, "dm-mod", &l), 0);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.items[1].name, "third");
	target_symbols_done(&l);
	assert_int_equal(read_text(*state, listed, "dm", &l), 0);
	assert_int_equal(l.n, 1);
	target_symbols_done(&l);
	assert_int_equal(read_text(*state, listed, "dm_m", &l), -ENODATA);
	target_symbols_done(&l);
}

static void hidden_addresses_are_no_symbols(void **state)
{
	struct target_symbols l;

	assert_int_equal(read_text(*state, "0000000000000000 T first\n", NULL, &l), -EPERM);
	target_symbols_done(&l);
	assert_int_equal(read_text(*state, "", NULL, &l), -ENODATA);
	target_symbols_done(&l);
	assert_int_equal(target_symbols_read_list(&l, "/nonexistent", NULL), -ENOENT);
	target_symbols_done(&l);
}

static void a_symbol_reaches_to_the_next(void **state)
{
	struct target_symbols l;

	assert_int_equal(read_text(*state, listed, NULL, &l), 0);
	assert_string_equal(target_symbols_find(&l, 0x1000)->name, "_text");
	assert_string_equal(target_symbols_find(&l, 0x103f)->name, "_text");
	assert_string_equal(target_symbols_find(&l, 0x1040)->name, "second");
	assert_int_equal(target_symbols_find(&l, 0x1040)->size, 0x2000 - 0x1040);
	assert_null(target_symbols_find(&l, 0xfff));
	assert_null(target_symbols_find(&l, 0x9801));
	target_symbols_done(&l);
}

static void names_match_without_their_version(void **state)
{
	(void)state;
	assert_true(symbol_name_is("malloc", "malloc"));
	assert_true(symbol_name_is("malloc@@GLIBC_2.17", "malloc"));
	assert_true(symbol_name_is("malloc@plt", "malloc"));
	assert_true(symbol_name_is("malloc@@GLIBC_2.17", "mall*"));
	assert_true(symbol_name_is("malloc@@GLIBC_2.17", "malloc@@GLIBC_2.17"));
	assert_true(symbol_name_is("anything", NULL));
	assert_false(symbol_name_is("malloc@@GLIBC_2.17", "malloc@GLIBC_2.17"));
	assert_false(symbol_name_is("malloc_trim", "malloc"));
	assert_false(symbol_name_is("mallo", "malloc"));
	assert_false(symbol_name_is("@plt", "malloc"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_kernels_list_has_its_modules, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(a_module_goes_by_either_dash, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(hidden_addresses_are_no_symbols, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(a_symbol_reaches_to_the_next, scratch_make,
						scratch_remove),
		cmocka_unit_test(names_match_without_their_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
