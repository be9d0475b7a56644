/* SPDX-License-Identifier: MIT */
/* Functions by name. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "debug-info-open.h"

#include "dwarf/debug-info-internal.h"

/* Appends a function that was found to a text. */
static int add_function(void *arg, const struct debug_function *f)
{
	text_addf(arg, "%s%s ", f->kind == DEBUG_FUNCTION_ABSTRACT ? "~" : "", f->name);
	return 0;
}

static void expect(struct debug_info *d, const char *name, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	assert_int_equal(debug_info_functions(d, name, add_function, &t), 0);
	assert_string_equal(t.chars, expected);
}

static void functions_are_found_by_name(void **state)
{
	struct opened_info o;

	(void)state;
	debug_info_open_built(&o, &(struct dwarf_change){ .depth = 0 }, NULL);
	expect(o.info, "outer", "outer ");
	expect(o.info, "nested", "nested ");
	expect(o.info, "inner", "~inner ");
	expect(o.info, "second", "second ");
	expect(o.info, "_ZN2ns6secondEv", "_ZN2ns6secondEv ");
	expect(o.info, "out", "");
	expect(o.info, "", "");
	debug_info_free(o.info);
}

static void globs_find_all_in_order_and_each_once(void **state)
{
	struct opened_info o;

	(void)state;
	debug_info_open_built(&o, &(struct dwarf_change){ .dead_unit = true }, NULL);
	expect(o.info, "*", "~inner ~innermost outer nested second dead ");
	expect(o.info, "inner*", "~inner ~innermost ");
	expect(o.info, "?uter", "outer ");
	expect(o.info, "[no]*", "outer nested ");
	expect(o.info, "_Z*", "_ZN2ns6secondEv ");
	expect(o.info, "x*", "");
	debug_info_free(o.info);
}

static int stop(void *arg, const struct debug_function *f)
{
	size_t *n = arg;

	(void)f;
	return ++*n == 2 ? 77 : 0;
}

static void whoever_has_enough_ends_the_search(void **state)
{
	struct opened_info o;
	size_t n = 0;

	(void)state;
	debug_info_open_built(&o, &(struct dwarf_change){ .depth = 0 }, NULL);
	assert_int_equal(debug_info_functions(o.info, "*", stop, &n), 77);
	assert_int_equal(n, 2);
	debug_info_free(o.info);
}

struct copies {
	struct debug_info *info;
	size_t n;
	uint64_t start;
};

static int add_copy(void *arg, uint64_t copy, uint64_t unit)
{
	struct copies *c = arg;
	Dwarf_Die die, around;
	Dwarf_Addr start;

	assert_true(debug_info_die(c->info, copy, &die));
	assert_int_equal(dwarf_tag(&die), DW_TAG_inlined_subroutine);
	assert_int_equal(dwarf_lowpc(&die, &start), 0);
	assert_true(debug_info_die(c->info, unit, &around));
	assert_int_equal(dwarf_tag(&around), DW_TAG_compile_unit);
	c->start = start;
	c->n++;
	return 0;
}

static int each_abstract(void *arg, const struct debug_function *f)
{
	struct copies *c = arg;

	assert_int_equal(debug_info_inlined(c->info, f->entry, add_copy, c), 0);
	return 0;
}

static void copies_of_an_inlined_function_are_found(void **state)
{
	struct opened_info o;

	(void)state;
	debug_info_open_built(&o, &(struct dwarf_change){ .depth = 5 }, NULL);

	struct copies c = { .info = o.info };

	assert_int_equal(debug_info_functions(o.info, "innermost", each_abstract, &c), 0);
	assert_int_equal(c.n, 1);
	assert_int_equal(c.start, o.text + 0x20);
	assert_int_equal(debug_info_functions(o.info, "inner", each_abstract, &c), 0);
	assert_int_equal(c.n, 2);
	assert_int_equal(c.start, o.text + 0x10);
	assert_int_equal(debug_info_functions(o.info, "outer", each_abstract, &c), 0);
	assert_int_equal(debug_info_inlined(o.info, 100000, add_copy, &c), 0);
	assert_int_equal(debug_info_inlined(o.info, UINT64_MAX, add_copy, &c), 0);
	assert_int_equal(c.n, 2);
	debug_info_free(o.info);
}

static void what_is_damaged_is_not_there(void **state)
{
	(void)state;
	for (size_t cut = 1; cut < 60; cut++) {
		struct opened_info o;
		_cleanup_(text_done) struct text t = TEXT_EMPTY;

		debug_info_open_built(
			&o, &(struct dwarf_change){ .cut_info = cut, .cut_lines = cut }, NULL);
		assert_int_equal(debug_info_functions(o.info, "*", add_function, &t), 0);
		assert_null(strstr(t.chars, "second"));
		debug_info_free(o.info);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_found_by_name),
		cmocka_unit_test(globs_find_all_in_order_and_each_once),
		cmocka_unit_test(whoever_has_enough_ends_the_search),
		cmocka_unit_test(copies_of_an_inlined_function_are_found),
		cmocka_unit_test(what_is_damaged_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
