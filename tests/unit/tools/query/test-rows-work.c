/* SPDX-License-Identifier: MIT */
#include "example-rows.h"

static void rows_in_order_of_time_are_known(void **state)
{
	struct rows *r = EXAMPLE_ROWS({ -1, 1, "a" }, { 5, 1, "a" }, { 5, 2, "b" }, { 9, 1, "a" });

	(void)state;
	assert_true(rows_in_order_of(r, 0));
	assert_false(rows_in_order_of(r, 1));
	rows_free(r);
	r = EXAMPLE_ROWS({ 7, 1, "a" }, { 5, 1, "a" });
	assert_false(rows_in_order_of(r, 0));
	rows_free(r);
	r = EXAMPLE_ROWS({ 7, 1, "a" }, { -1, 1, "a" });
	assert_false(rows_in_order_of(r, 0));
	rows_free(r);
}

static void texts_are_ordered_by_their_bytes_and_none_is_first(void **state)
{
	struct rows *r = EXAMPLE_ROWS({ 1, 1, "b" }, { 2, 1, NULL }, { 3, 1, "B" }, { 4, 1, "ab" },
				      { 5, 1, "a" });
	const struct order_term up = { 2, false }, down = { 2, true };
	const uint32_t *list = rows_ordered(r, &up, 1, false);
	static const uint32_t ascending[] = { 1, 2, 4, 3, 0 }, descending[] = { 0, 3, 4, 2, 1 };

	(void)state;
	assert_memory_equal(list, ascending, sizeof(ascending));
	assert_ptr_equal(rows_ordered(r, &up, 1, false), list);
	assert_memory_equal(rows_ordered(r, &down, 1, false), descending, sizeof(descending));
	rows_free(r);
}

static void equal_values_keep_their_order(void **state)
{
	struct rows *r = EXAMPLE_ROWS({ 1, 9, "b" }, { 2, 3, "a" }, { 3, 9, "a" }, { 4, 3, "b" });
	const struct order_term terms[] = { { 1, false }, { 2, true } };
	static const uint32_t expected[] = { 3, 1, 0, 2 };

	(void)state;
	assert_memory_equal(rows_ordered(r, terms, 2, false), expected, sizeof(expected));
	rows_free(r);
}

static void rows_of_a_value_are_found(void **state)
{
	struct rows *r = EXAMPLE_ROWS({ 1, 9, "b" }, { 2, -1, "a" }, { 3, 9, "a" }, { 4, 3, NULL });
	const uint32_t *list;

	(void)state;
	assert_int_equal(rows_equal(r, 1, 9, &list), 2);
	assert_int_equal(list[0], 0);
	assert_int_equal(list[1], 2);
	assert_int_equal(rows_equal(r, 1, 4, &list), 0);
	assert_int_equal(rows_equal(r, 1, INT64_MAX, &list), 0);
	assert_int_equal(rows_equal(r, 2, rows_code(r, 2, "a", 1), &list), 2);
	assert_int_equal(rows_code(r, 2, "ab", 2), -1);
	rows_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_in_order_of_time_are_known),
		cmocka_unit_test(texts_are_ordered_by_their_bytes_and_none_is_first),
		cmocka_unit_test(equal_values_keep_their_order),
		cmocka_unit_test(rows_of_a_value_are_found),
	};

	return cmocka_run_group_tests_name("query/rows", tests, NULL, NULL);
}
