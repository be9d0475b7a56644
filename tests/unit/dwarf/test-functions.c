/* SPDX-License-Identifier: MIT */
/* Tests the lookup of functions by address. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf-open.h"

/*
 * Returns all functions at @offset of .text, innermost first: "innermost<h.h:5<inner<a.c:12<outer".
 */
static const char *chain_of(struct opened *o, uint64_t offset, char *ret, size_t size)
{
	struct dwarf_unit *u = dwarf_units_find(o->units, o->text + offset);
	struct dwarf_scope *s = u ? dwarf_unit_scope(u, o->text + offset) : NULL;
	size_t n = 0;

	*ret = '\0';
	for (; s && n < size; s = s->caller) {
		const char *name = dwarf_scope_name(s), *file = s->call_file;

		n += (size_t)snprintf(ret + n, size - n, "%s", name ? name : "?");
		if (s->caller && n < size)
			n += (size_t)snprintf(ret + n, size - n, "<%s:%u<",
					      file ? strrchr(file, '/') + 1 : "?", s->call_line);
	}
	return ret;
}

#define assert_chain(o, offset, expected)                                                          \
	do {                                                                                       \
		char text[200];                                                                    \
		assert_string_equal(chain_of(o, offset, text, sizeof(text)), expected);            \
	} while (0)

static void functions_come_innermost_first_with_the_places_of_calls(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });
	assert_chain(&o, 0x00, "outer");
	assert_chain(&o, 0x10, "inner<a.c:12<outer");
	assert_chain(&o, 0x1f, "inner<a.c:12<outer");
	assert_chain(&o, 0x20, "innermost<h.h:5<inner<a.c:12<outer");
	assert_chain(&o, 0x28, "inner<a.c:12<outer");
	assert_chain(&o, 0x40, "outer");
	dwarf_close_built(&o);
}

static void a_function_has_the_name_that_the_linker_knows(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });
	assert_chain(&o, 0x80, "_ZN2ns6secondEv");
	dwarf_close_built(&o);
}

static void a_function_within_another_is_found(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });
	assert_chain(&o, 0x94, "nested");
	assert_chain(&o, 0x20, "innermost<h.h:5<inner<a.c:12<outer");
	assert_chain(&o, 0xa0, "");
	dwarf_close_built(&o);
}

static void the_part_that_was_asked_about_has_an_end(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });

	struct dwarf_scope *s = dwarf_unit_scope(dwarf_units_find(o.units, o.text), o.text + 4);

	assert_int_equal(s->start, o.text);
	assert_int_equal(s->end, o.text + 0x80);
	dwarf_close_built(&o);
}

static void a_function_that_refers_to_itself_has_no_name(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .origin_is_itself = true });
	assert_chain(&o, 0x10, "?<a.c:12<outer");
	dwarf_close_built(&o);
}

static void a_list_that_goes_backwards_ends(void **state)
{
	struct opened o;
	char text[200];

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .sibling_goes_back = true });
	chain_of(&o, 0x20, text, sizeof(text));
	dwarf_close_built(&o);
}

static void lists_without_an_end_end_with_the_unit(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .no_children_end = true });
	assert_chain(&o, 0x20, "innermost<h.h:5<inner<a.c:12<outer");
	assert_chain(&o, 0x80, "_ZN2ns6secondEv");
	dwarf_close_built(&o);
}

static void what_is_nested_beyond_reason_is_left_out(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 100 });
	assert_chain(&o, 0x20, "innermost<h.h:5<inner<a.c:12<outer");
	dwarf_close_built(&o);
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 220 });
	assert_chain(&o, 0x20, "inner<a.c:12<outer");
	dwarf_close_built(&o);
}

static void entries_that_are_cut_off_do_no_harm(void **state)
{
	(void)state;
	for (size_t cut = 1; cut < 160; cut++) {
		struct opened o;
		char text[200];

		dwarf_open_built(&o, &(struct dwarf_change){ .cut_info = cut });
		chain_of(&o, 0x20, text, sizeof(text));
		chain_of(&o, 0x94, text, sizeof(text));
		dwarf_close_built(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_come_innermost_first_with_the_places_of_calls),
		cmocka_unit_test(a_function_has_the_name_that_the_linker_knows),
		cmocka_unit_test(a_function_within_another_is_found),
		cmocka_unit_test(the_part_that_was_asked_about_has_an_end),
		cmocka_unit_test(a_function_that_refers_to_itself_has_no_name),
		cmocka_unit_test(a_list_that_goes_backwards_ends),
		cmocka_unit_test(lists_without_an_end_end_with_the_unit),
		cmocka_unit_test(what_is_nested_beyond_reason_is_left_out),
		cmocka_unit_test(entries_that_are_cut_off_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
