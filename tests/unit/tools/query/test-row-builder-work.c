/* SPDX-License-Identifier: MIT */
#include "example-rows.h"

static void cells_that_nothing_was_added_for_have_no_value(void **state)
{
	struct rows *r = EXAMPLE_ROWS({ -1, 1, NULL }, { 2, -1, "x" }, { -1, 3, NULL });
	int64_t value;

	(void)state;
	assert_int_equal(rows_count(r), 3);
	assert_false(rows_number(r, 0, 0, &value));
	assert_true(rows_number(r, 0, 1, &value));
	assert_int_equal(value, 2);
	assert_false(rows_number(r, 0, 2, &value));
	assert_false(rows_number(r, 2, 2, &value));
	rows_free(r);
}

static void equal_texts_are_one_and_broken_ones_are_escaped(void **state)
{
	struct rows *r = EXAMPLE_ROWS({ 1, 1, "a\xff" }, { 2, 1, "b" }, { 3, 1, "a\xff" });
	const struct sample_names *names = &rows_column(r, 2)->names;
	size_t n;
	const char *text = sample_names_get(names, 0, &n);

	(void)state;
	assert_int_equal(names->n, 2);
	assert_int_equal(n, 5);
	assert_memory_equal(text, "a\\xff", 5);
	rows_free(r);
}

static void more_than_eight_rows_have_a_bit_each(void **state)
{
	struct example_row rows[20];
	struct rows *r;
	int64_t value;

	(void)state;
	for (int i = 0; i < 20; i++)
		rows[i] = (struct example_row){ i % 3 ? i : -1, i, NULL };
	r = example_rows(rows, 20);
	for (int i = 0; i < 20; i++)
		assert_int_equal(rows_number(r, 0, (size_t)i, &value), i % 3 != 0);
	rows_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_that_nothing_was_added_for_have_no_value),
		cmocka_unit_test(equal_texts_are_one_and_broken_ones_are_escaped),
		cmocka_unit_test(more_than_eight_rows_have_a_bit_each),
	};

	return cmocka_run_group_tests_name("query/row-builder", tests, NULL, NULL);
}
