/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "symbol/index.h"
#include "symbol/table.h"

static const uint64_t starts[] = { 0x1000, 0x1010, 0x2000 };
static const uint32_t names[] = { 0, 2, 99 };

static const struct symbol_index three = {
	.starts = starts,
	.names = names,
	.bindings = "glw",
	.n = 3,
	.end = 0x3000,
	.text = "f\0g",
	.text_size = 4,
};

static void each_symbol_ends_where_the_next_begins(void **state)
{
	(void)state;
	assert_int_equal(symbol_index_find(&three, 0x1000), 0);
	assert_int_equal(symbol_index_find(&three, 0x100f), 0);
	assert_int_equal(symbol_index_find(&three, 0x1010), 1);
	assert_int_equal(symbol_index_find(&three, 0x2fff), 2);
	assert_true(symbol_index_find(&three, 0xfff) == SYMBOL_INDEX_NONE);
	assert_true(symbol_index_find(&three, 0x3000) == SYMBOL_INDEX_NONE);
	assert_int_equal(symbol_index_at(&three, 1).end, 0x2000);
	assert_int_equal(symbol_index_at(&three, 1).binding, 'l');
	assert_int_equal(symbol_index_at(&three, 2).end, 0x3000);
}

static void names_are_found_one_after_the_other(void **state)
{
	(void)state;
	assert_int_equal(symbol_index_find_name(&three, "g"), 1);
	assert_true(symbol_index_find_name(&three, "h") == SYMBOL_INDEX_NONE);
}

static void a_name_that_leads_nowhere_is_empty(void **state)
{
	(void)state;
	assert_string_equal(symbol_index_at(&three, 2).name, "");
}

static void nothing_is_found_in_an_empty_one(void **state)
{
	const struct symbol_index none = { 0 };

	(void)state;
	assert_true(symbol_index_find(&none, 0x1000) == SYMBOL_INDEX_NONE);
}

static void a_table_on_it_finds_the_same_symbol_again(void **state)
{
	struct symbol_table t;
	const struct symbol *s;
	uint64_t start;

	(void)state;
	symbol_table_init_index(&t, &three);
	symbol_table_move(&t, 0x10000);
	s = symbol_table_find(&t, 0x11018);
	assert_non_null(s);
	assert_string_equal(s->name, "g");
	assert_int_equal(s->start, 0x11010);
	assert_int_equal(s->end, 0x12000);
	assert_ptr_equal(symbol_table_find(&t, 0x11019), s);
	assert_ptr_equal(symbol_table_find_name(&t, "g"), s);
	assert_null(symbol_table_find_name(&t, "h"));
	assert_null(symbol_table_find(&t, 0x1018));
	assert_true(symbol_table_start(&t, &start));
	assert_int_equal(start, 0x11000);
	symbol_table_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_symbol_ends_where_the_next_begins),
		cmocka_unit_test(names_are_found_one_after_the_other),
		cmocka_unit_test(a_name_that_leads_nowhere_is_empty),
		cmocka_unit_test(nothing_is_found_in_an_empty_one),
		cmocka_unit_test(a_table_on_it_finds_the_same_symbol_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
