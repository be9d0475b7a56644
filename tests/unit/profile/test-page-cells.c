/* SPDX-License-Identifier: MIT */
#include "example-page.h"

static void cells_go_by_task_and_time_and_equal_ones_are_added_up(void **state)
{
	_cleanup_(page_done) struct page p;
	const struct page_cell *c;

	(void)state;
	example_page_init(&p, 3);
	example_page_cell(&p, 2, 1, 7);
	example_page_cell(&p, 0, 3000, 7);
	example_page_cell(&p, 0, 1, 9);
	example_page_cell(&p, 0, 3000, 5);
	example_page_cell(&p, 0, 3000, 7);
	page_cells_merge(&p);
	c = p.cells.items;
	assert_int_equal(p.cells.n, 4);
	assert_int_equal(c[0].bin, 1);
	assert_int_equal(c[1].node, 5);
	assert_int_equal(c[2].node, 7);
	assert_int_equal(c[2].samples, 2);
	assert_int_equal(c[2].weight, 20);
	assert_int_equal(c[3].task, 2);
}

static void many_cells_are_sorted_by_all_digits(void **state)
{
	_cleanup_(page_done) struct page p;
	uint32_t x = 1;

	(void)state;
	example_page_init(&p, 1);
	for (int i = 0; i < 5000; i++) {
		x = x * 1664525 + 1013904223;
		example_page_cell(&p, x >> 30, x >> 8 & 0xfffff, 1);
	}
	page_cells_merge(&p);
	assert_in_range(p.cells.n, 4900, 5000);
	for (size_t i = 1; i < p.cells.n; i++) {
		const struct page_cell *c = &p.cells.items[i];

		assert_true(c[-1].task < c->task || (c[-1].task == c->task && c[-1].bin < c->bin));
	}
}

static void what_differs_in_place_or_cpu_stays_apart(void **state)
{
	_cleanup_(page_done) struct page p;

	(void)state;
	example_page_init(&p, 1);
	for (int i = 0; i < 4; i++)
		example_page_cell(&p, 0, 0, 1);
	p.cells.items[1].place = 5;
	p.cells.items[2].where = 1;
	page_cells_merge(&p);
	assert_int_equal(p.cells.n, 3);
	assert_int_equal(p.cells.items[0].samples, 2);
}

static void wider_bins_hold_what_two_held(void **state)
{
	_cleanup_(page_done) struct page p;

	(void)state;
	example_page_init(&p, 1);
	for (uint32_t bin = 0; bin < 5; bin++)
		example_page_cell(&p, 0, bin, bin == 3 ? 2 : 1);
	page_cells_merge(&p);
	page_cells_halve_bins(&p);
	assert_int_equal(p.n_bins, 3);
	assert_int_equal(p.bin_ns, 2000000);
	assert_int_equal(p.cells.n, 4);
	assert_int_equal(p.cells.items[0].samples, 2);
	assert_int_equal(p.cells.items[3].bin, 2);
}

static void what_is_moved_to_one_node_is_added_up(void **state)
{
	_cleanup_(page_done) struct page p;
	static const uint32_t to[] = { 0, 1, 1, 2 };

	(void)state;
	example_page_init(&p, 1);
	for (uint32_t node = 0; node < 4; node++)
		example_page_cell(&p, 0, 0, node);
	page_cells_merge(&p);
	page_cells_move(&p, to);
	assert_int_equal(p.cells.n, 3);
	assert_int_equal(p.cells.items[1].samples, 2);
}

static void nothing_comes_of_no_cells(void **state)
{
	_cleanup_(page_done) struct page p;

	(void)state;
	example_page_init(&p, 0);
	page_cells_merge(&p);
	assert_int_equal(p.cells.n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_go_by_task_and_time_and_equal_ones_are_added_up),
		cmocka_unit_test(many_cells_are_sorted_by_all_digits),
		cmocka_unit_test(what_differs_in_place_or_cpu_stays_apart),
		cmocka_unit_test(wider_bins_hold_what_two_held),
		cmocka_unit_test(what_is_moved_to_one_node_is_added_up),
		cmocka_unit_test(nothing_comes_of_no_cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
