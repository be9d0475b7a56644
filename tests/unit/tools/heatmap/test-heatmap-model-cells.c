/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/heatmap/heatmap-model.h"

static uint64_t count_at(const struct heat_cells *c, int64_t column, uint32_t row)
{
	uint64_t n = 0;

	for (size_t i = 0; i < c->room; i++)
		if (c->items[i].count && c->items[i].column == column && c->items[i].row == row)
			n += c->items[i].count;
	return n;
}

static void counts_of_a_cell_add_up(void **state)
{
	struct heat_cells c;

	(void)state;
	heat_cells_init(&c);
	heat_cells_add(&c, 5, 7, 1);
	heat_cells_add(&c, 5, 7, 2);
	heat_cells_add(&c, 5, 8, 1);
	heat_cells_add(&c, -5, 7, 1);
	assert_int_equal(c.n, 3);
	assert_int_equal(count_at(&c, 5, 7), 3);
	heat_cells_done(&c);
}

static void a_table_that_grows_loses_nothing(void **state)
{
	enum {
		N = 5000
	};
	struct heat_cells c;

	(void)state;
	heat_cells_init(&c);
	for (int round = 0; round < 2; round++)
		for (int64_t i = 0; i < N; i++)
			heat_cells_add(&c, i - N / 2, (uint32_t)(i % 7), 1);
	assert_int_equal(c.n, N);
	assert_int_equal(count_at(&c, 17, (N / 2 + 17) % 7), 2);
	heat_cells_done(&c);
}

static void coarser_columns_are_sums(void **state)
{
	struct heat_cells c;

	(void)state;
	heat_cells_init(&c);
	for (int64_t i = -20; i < 20; i++)
		heat_cells_add(&c, i, 1, 1);
	heat_cells_coarsen(&c, 10);
	assert_int_equal(c.n, 4);
	for (int64_t i = -2; i < 2; i++)
		assert_int_equal(count_at(&c, i, 1), 10);
	heat_cells_done(&c);
}

static void division_rounds_down_below_zero_too(void **state)
{
	(void)state;
	assert_int_equal(heat_floor_div(19, 10), 1);
	assert_int_equal(heat_floor_div(-1, 10), -1);
	assert_int_equal(heat_floor_div(-10, 10), -1);
	assert_int_equal(heat_floor_div(-11, 10), -2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_a_cell_add_up),
		cmocka_unit_test(a_table_that_grows_loses_nothing),
		cmocka_unit_test(coarser_columns_are_sums),
		cmocka_unit_test(division_rounds_down_below_zero_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
