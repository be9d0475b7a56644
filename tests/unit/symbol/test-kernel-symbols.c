/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "kernel/kernel-notes.h"
#include "scratch.h"
#include "skip.h"
#include "symbol/kernel-symbols.h"

static const struct build_id foreign = { { 0xab, 0xcd, 0xef }, 3 };

static void free_symbols(struct kernel_symbols **k)
{
	kernel_symbols_free(*k);
}

static void put_list_of(const char *cache, const struct build_id *id, const char *text)
{
	char hex[BUILD_ID_TEXT_MAX];

	build_id_format(id, hex);

	_cleanup_(freep) char *name = xasprintf("[kernel.kallsyms]/%s/kallsyms", hex);
	_cleanup_(freep) char *list = scratch_path(cache, name);
	_cleanup_(freep) char *link = xasprintf(".build-id/%.2s/%s", hex, hex + 2);
	_cleanup_(freep) char *entry = scratch_path(cache, link);
	_cleanup_(freep) char *target = xasprintf("../../[kernel.kallsyms]/%s", hex);

	scratch_write(list, text);
	assert_int_equal(symlink(target, entry), 0);
}

/* Makes a cache with the list of a kernel that is not the running one. */
static void put_list(const char *cache, const char *text)
{
	put_list_of(cache, &foreign, text);
}

static void a_foreign_kernel_is_found_in_the_cache(void **state)
{
	const struct symbolizer_options o = { .buildid_dir = *state };
	const struct kernel_request r = {
		.options = &o, .build_id = foreign, .reference = "_text", .reference_addr = 0x9000
	};

	put_list(*state, "1000 T _text\n1010 T f\n");

	_cleanup_(free_symbols) struct kernel_symbols *k = kernel_symbols_load(&r);

	assert_int_equal(k->missing, IMAGE_LOADED);
	assert_string_equal(symbol_table_find(kernel_symbols_table(k), 0x9014)->name, "f");
}

static void a_list_is_found_again_from_its_index(void **state)
{
	const struct symbolizer_options o = { .buildid_dir = *state };
	const struct kernel_request r = {
		.options = &o, .build_id = foreign, .reference = "_text", .reference_addr = 0x9000
	};

	put_list(*state, "1000 T _text\n1010 T f\n5000 t g\t[mod]\n");
	for (int i = 0; i < 2; i++) {
		_cleanup_(free_symbols) struct kernel_symbols *k = kernel_symbols_load(&r);
		struct symbol_table *t = kernel_symbols_module(k, "mod");

		assert_string_equal(symbol_table_find(kernel_symbols_table(k), 0x9014)->name, "f");
		assert_non_null(t);
		assert_string_equal(symbol_table_find(t, 0x5000)->name, "g");
	}
}

/* Its modules have other addresses now, which only the running kernel knows. */
static void a_list_of_another_boot_names_the_kernel_only(void **state)
{
	const struct symbolizer_options o = { .buildid_dir = *state, .ignore_vmlinux = true };
	struct kernel_request r = { .options = &o, .reference = "_text", .reference_addr = 0x9000 };

	if (build_id_of_kernel(&r.build_id) < 0)
		skip_because("the kernel has no build-id");
	put_list_of(*state, &r.build_id, "1000 T _text\n1010 T f\n5000 t g\t[no_such_module]\n");

	_cleanup_(free_symbols) struct kernel_symbols *k = kernel_symbols_load(&r);

	assert_string_equal(symbol_table_find(kernel_symbols_table(k), 0x9014)->name, "f");
	assert_null(kernel_symbols_module(k, "no_such_module"));
}

static void a_foreign_kernel_does_not_get_our_names(void **state)
{
	const struct symbolizer_options o = { .buildid_dir = *state };
	const struct kernel_request r = { .options = &o, .build_id = foreign };
	_cleanup_(free_symbols) struct kernel_symbols *k = kernel_symbols_load(&r);

	assert_int_equal(k->missing, IMAGE_NO_FILE);
	assert_null(kernel_symbols_table(k));
}

static void another_machine_does_not_get_our_names(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	const struct kernel_request r = { .options = &o };
	_cleanup_(free_symbols) struct kernel_symbols *k = kernel_symbols_load(&r);

	assert_int_equal(k->missing, IMAGE_NO_FILE);
}

static void a_list_that_is_named_wins(void **state)
{
	_cleanup_(freep) char *list = scratch_path(*state, "named");
	const struct symbolizer_options o = { .buildid_dir = *state, .kallsyms = list };
	const struct kernel_request r = { .options = &o, .build_id = foreign };

	put_list(*state, "1000 T cached\n");
	scratch_write(list, "1000 T named\n");

	_cleanup_(free_symbols) struct kernel_symbols *k = kernel_symbols_load(&r);

	assert_string_equal(symbol_table_find(kernel_symbols_table(k), 0x1000)->name, "named");
}

static void hidden_addresses_are_said_to_be(void **state)
{
	_cleanup_(freep) char *list = scratch_path(*state, "named");
	const struct symbolizer_options o = { .kallsyms = list };
	const struct kernel_request r = { .options = &o };

	scratch_write(list, "0 T _text\n");

	_cleanup_(free_symbols) struct kernel_symbols *k = kernel_symbols_load(&r);

	assert_int_equal(k->missing, IMAGE_HIDDEN);
}

static void a_guest_has_its_own_list(void **state)
{
	_cleanup_(freep) char *list = scratch_path(*state, "guest");
	const struct symbolizer_options o = { .guest_kallsyms = list, .kallsyms = "/no/such" };
	const struct kernel_request r = { .options = &o, .is_guest = true };

	scratch_write(list, "1000 T guest\n");

	_cleanup_(free_symbols) struct kernel_symbols *k = kernel_symbols_load(&r);

	assert_string_equal(symbol_table_find(kernel_symbols_table(k), 0x1000)->name, "guest");
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(a_foreign_kernel_is_found_in_the_cache),
		IN_SCRATCH(a_list_is_found_again_from_its_index),
		IN_SCRATCH(a_list_of_another_boot_names_the_kernel_only),
		IN_SCRATCH(a_foreign_kernel_does_not_get_our_names),
		IN_SCRATCH(another_machine_does_not_get_our_names),
		IN_SCRATCH(a_list_that_is_named_wins),
		IN_SCRATCH(hidden_addresses_are_said_to_be),
		IN_SCRATCH(a_guest_has_its_own_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
