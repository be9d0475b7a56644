/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/c-type.h"
#include "base/similar.h"
#include "dwarf/debug-variables.h"
#include "variables-elf.h"

static struct debug_variable find_at(struct opened_variables *o, const char *name, uint64_t offset)
{
	struct debug_place place = o->place;
	struct debug_variable v;

	place.addr += offset;
	assert_int_equal(debug_variable_find(o->info, &place, name, &v, NULL), 0);
	return v;
}

static void a_parameter_is_in_its_register(void **state)
{
	struct opened_variables o;

	(void)state;
	variables_open(&o, NULL, 0);

	struct debug_variable v = find_at(&o, "p", 0);

	assert_true(v.is_parameter);
	assert_true(v.is_plain);
	assert_int_equal(v.place.where, VARIABLE_REGISTER);
	assert_int_equal(v.place.reg, 0);
	assert_int_equal(v.type->kind, C_POINTER);
	debug_info_free(o.info);
}

static void the_innermost_of_a_name_is_found(void **state)
{
	struct opened_variables o;

	(void)state;
	variables_open(&o, NULL, 0);
	assert_int_equal(find_at(&o, "n", 0).place.where, VARIABLE_MEMORY);
	assert_int_equal(find_at(&o, "n", 0x10).place.where, VARIABLE_REGISTER);
	assert_int_equal(find_at(&o, "n", 0x18).place.where, VARIABLE_MEMORY);
	debug_info_free(o.info);
}

static void a_variable_of_a_list_is_only_where_that_says(void **state)
{
	struct opened_variables o;

	(void)state;
	variables_open(&o, NULL, 0);
	assert_int_equal(find_at(&o, "late", 0).place.where, VARIABLE_NOWHERE);
	assert_true(find_at(&o, "late", 0).is_elsewhere);
	assert_int_equal(find_at(&o, "late", 8).place.where, VARIABLE_REGISTER);
	assert_int_equal(find_at(&o, "late", 0x10).place.where, VARIABLE_NOWHERE);
	debug_info_free(o.info);
}

static void a_constant_keeps_its_sign(void **state)
{
	struct opened_variables o;

	(void)state;
	variables_open(&o, NULL, 0);
	assert_int_equal(find_at(&o, "fixed", 0).place.where, VARIABLE_CONSTANT);
	assert_int_equal((int64_t)find_at(&o, "fixed", 0).place.value, -3);
	debug_info_free(o.info);
}

static void what_is_only_declared_is_known_by_its_name(void **state)
{
	struct opened_variables o;

	(void)state;
	variables_open(&o, NULL, 0);
	assert_true(find_at(&o, "elsewhere", 0).is_declared);
	assert_true(find_at(&o, "elsewhere", 0).is_extern);
	debug_info_free(o.info);
}

static void an_unknown_name_is_refused_with_those_like_it(void **state)
{
	struct similar near = { .typed = "fixd" };
	struct opened_variables o;
	struct debug_variable v;

	(void)state;
	variables_open(&o, NULL, 0);
	assert_int_equal(debug_variable_find(o.info, &o.place, "fixd", &v, &near), -ENOENT);
	assert_int_equal(near.n, 1);
	assert_string_equal(near.best[0].name, "fixed");
	debug_info_free(o.info);
}

static int count(void *arg, const struct debug_variable *v)
{
	assert_non_null(v->name);
	++*(size_t *)arg;
	return 0;
}

static void blocks_elsewhere_are_left_out(void **state)
{
	struct opened_variables o;
	size_t outside = 0, inside = 0, all = 0;

	(void)state;
	variables_open(&o, NULL, 0);
	debug_variables_each(o.info, &o.place, false, count, &outside);
	debug_variables_each(o.info, &o.place, true, count, &all);
	o.place.addr += 0x10;
	debug_variables_each(o.info, &o.place, false, count, &inside);
	assert_int_equal(outside, 5);
	assert_int_equal(inside, 6);
	assert_int_equal(all, 6);
	debug_info_free(o.info);
}

struct spans {
	uint64_t start, end;
	size_t n;
};

static void add_span(void *arg, uint64_t start, uint64_t end)
{
	struct spans *s = arg;

	s->start = start;
	s->end = end;
	s->n++;
}

static void ranges_are_those_of_the_list_or_of_the_block(void **state)
{
	struct opened_variables o;
	struct spans list = { 0 }, block = { 0 };

	(void)state;
	variables_open(&o, NULL, 0);

	struct debug_variable late = find_at(&o, "late", 0), inner = find_at(&o, "n", 0x10);

	debug_variable_ranges(o.info, &late, add_span, &list);
	debug_variable_ranges(o.info, &inner, add_span, &block);
	assert_int_equal(list.n, 1);
	assert_int_equal(list.start - o.place.start, 8);
	assert_int_equal(list.end - o.place.start, 0x10);
	assert_int_equal(block.n, 1);
	assert_int_equal(block.start - o.place.start, 0x10);
	assert_int_equal(block.end - o.place.start, 0x18);
	debug_info_free(o.info);
}

static void a_place_that_is_no_function_has_nothing(void **state)
{
	struct opened_variables o;
	struct debug_variable v;
	size_t n = 0;

	(void)state;
	variables_open(&o, NULL, 0);
	o.place.scope = 0;
	assert_int_equal(debug_variable_find(o.info, &o.place, "p", &v, NULL), -ENOENT);
	o.place.scope = o.place.function = 1u << 30;
	assert_int_equal(debug_variables_each(o.info, &o.place, true, count, &n), 0);
	assert_int_equal(n, 0);
	debug_info_free(o.info);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_parameter_is_in_its_register),
		cmocka_unit_test(the_innermost_of_a_name_is_found),
		cmocka_unit_test(a_variable_of_a_list_is_only_where_that_says),
		cmocka_unit_test(a_constant_keeps_its_sign),
		cmocka_unit_test(what_is_only_declared_is_known_by_its_name),
		cmocka_unit_test(an_unknown_name_is_refused_with_those_like_it),
		cmocka_unit_test(blocks_elsewhere_are_left_out),
		cmocka_unit_test(ranges_are_those_of_the_list_or_of_the_block),
		cmocka_unit_test(a_place_that_is_no_function_has_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
