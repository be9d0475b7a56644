/* SPDX-License-Identifier: MIT */
#include <config.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/name-list.h"
#include "dwarf/debug-info.h"
#include "dwarf/dwarf-elf.h"
#include "made-target.h"
#include "probe/debug-alias.h"
#include "skip.h"
#include "symbol/scratch.h"

/* Checks the names that are found for @typed in the program of dwarf/dwarf-elf.h, with symbols. */
static void finds(const char *dir, enum probe_target_kind kind, const char *typed,
		  const char *expected)
{
	_cleanup_(freep) char *path = scratch_path(dir, "program");
	_cleanup_(name_list_done) struct name_list l = { 0 };
	struct probe_target *t = NULL;
	struct debug_info *info;
	struct diag diag = { 0 };
	struct built_elf b;
	char got[200] = "";

	built_begin(&b);
	dwarf_add(&b, &(struct dwarf_change){ .depth = 0 });

	uint64_t text = dwarf_text_addr(&b);
	const struct built_symbol symbols[] = {
		{ "outer", text, 0x80, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "another", text, 0x80, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "another@V_1", text, 0x80, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "within", text + 4, 4, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "data", text, 4, STB_GLOBAL, STT_OBJECT, 1, 0 },
		{ "nested", text + 0x90, 0x10, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "_ZN2ns6secondEv", text + 0x80, 0x10, STB_GLOBAL, STT_FUNC, 1, 0 },
	};

	built_add_symbols(&b, SHT_SYMTAB, symbols, ARRAY_SIZE(symbols));
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
	assert_int_equal(
		probe_target_open(&(struct probe_target_options){ .program = path }, &t, &diag), 0);
	assert_int_equal(probe_target_debug(t, &info, &diag), 0);
	t->kind = kind;
	debug_alias_find(t, info, typed, &l);
	for (size_t i = 0; i < l.n; i++) {
		strcat(got, i ? " " : "");
		strcat(got, l.items[i]);
	}
	assert_string_equal(got, expected);
	probe_target_free(t);
}

static void another_symbol_at_a_function_has_its_name(void **state)
{
	finds(*state, PROBE_PROGRAM, "another", "outer");
}

static void its_own_name_is_no_other(void **state)
{
	finds(*state, PROBE_PROGRAM, "outer", "");
	finds(*state, PROBE_PROGRAM, "none", "");
}

static void what_is_no_function_or_not_at_its_beginning_has_none(void **state)
{
	finds(*state, PROBE_PROGRAM, "within", "");
	finds(*state, PROBE_PROGRAM, "data", "");
}

static void a_qualified_name_is_the_linkers(void **state)
{
	if (!HAVE_LIBIBERTY)
		skip_because("built without libiberty");
	finds(*state, PROBE_PROGRAM, "ns::second", "_ZN2ns6secondEv");
}

static void patterns_give_each_name_once(void **state)
{
	finds(*state, PROBE_PROGRAM, "*er", "outer");
	finds(*state, PROBE_PROGRAM, "[on]*", "outer nested");
}

static void the_kernel_has_no_other_names(void **state)
{
	finds(*state, PROBE_KERNEL, "another", "");
	finds(*state, PROBE_MODULE, "another", "");
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(another_symbol_at_a_function_has_its_name),
		SCRATCH_TEST(its_own_name_is_no_other),
		SCRATCH_TEST(what_is_no_function_or_not_at_its_beginning_has_none),
		SCRATCH_TEST(a_qualified_name_is_the_linkers),
		SCRATCH_TEST(patterns_give_each_name_once),
		SCRATCH_TEST(the_kernel_has_no_other_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
