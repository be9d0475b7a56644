/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "tools/ftrace/profile-model.h"

static const char *name(void *arg, uint64_t func)
{
	(void)arg;
	return func == 0x10 ? "open" : func == 0x20 ? "read" : "close";
}

/* open: 2 calls, 30 ns; read: 1 call, 50 ns; close: two functions, 3 calls, 60 ns. */
static struct function_profile *fill(void)
{
	struct function_profile *p = function_profile_new();

	function_profile_add(p, 0x10, 10);
	function_profile_add(p, 0x30, 5);
	function_profile_add(p, 0x10, 20);
	function_profile_add(p, 0x20, 50);
	function_profile_add(p, 0x40, 40);
	function_profile_add(p, 0x30, 15);
	return p;
}

static void assert_order(enum function_order order, const char *a, const char *b, const char *c)
{
	struct function_profile *p = fill();
	struct function_rows rows;

	function_profile_rows(p, name, NULL, order, &rows);
	assert_int_equal(rows.n, 3);
	assert_string_equal(rows.items[0].name, a);
	assert_string_equal(rows.items[1].name, b);
	assert_string_equal(rows.items[2].name, c);
	free(rows.items);
	function_profile_free(p);
}

static void rows_come_in_each_order(void **state)
{
	(void)state;
	assert_order(FUNCTION_ORDER_TOTAL, "close", "read", "open");
	assert_order(FUNCTION_ORDER_AVERAGE, "read", "close", "open");
	assert_order(FUNCTION_ORDER_MAX, "read", "close", "open");
	assert_order(FUNCTION_ORDER_CALLS, "close", "open", "read");
	assert_order(FUNCTION_ORDER_NAME, "close", "open", "read");
}

static void functions_of_one_name_are_one_row(void **state)
{
	struct function_profile *p = fill();
	struct function_rows rows;

	(void)state;
	function_profile_rows(p, name, NULL, FUNCTION_ORDER_NAME, &rows);
	assert_int_equal(rows.items[0].calls, 3);
	assert_int_equal(rows.items[0].total_ns, 60);
	assert_int_equal(rows.items[0].max_ns, 40);
	free(rows.items);
	function_profile_free(p);
}

static void functions_that_share_a_place_in_the_table_stay_apart(void **state)
{
	struct function_profile *p = function_profile_new();
	struct function_rows rows;

	(void)state;
	for (int i = 0; i < 10; i++) {
		function_profile_add(p, 0x10, 1);
		function_profile_add(p, 0x10 + 1024 * 16, 2);
	}
	function_profile_rows(p, name, NULL, FUNCTION_ORDER_TOTAL, &rows);
	assert_int_equal(rows.n, 2);
	assert_int_equal(rows.items[0].total_ns, 20);
	assert_int_equal(rows.items[1].total_ns, 10);
	free(rows.items);
	function_profile_free(p);
}

static void without_calls_there_are_no_rows(void **state)
{
	struct function_profile *p = function_profile_new();
	struct function_rows rows;

	(void)state;
	function_profile_rows(p, name, NULL, FUNCTION_ORDER_TOTAL, &rows);
	assert_int_equal(rows.n, 0);
	function_profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_come_in_each_order),
		cmocka_unit_test(functions_of_one_name_are_one_row),
		cmocka_unit_test(functions_that_share_a_place_in_the_table_stay_apart),
		cmocka_unit_test(without_calls_there_are_no_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
