/* SPDX-License-Identifier: MIT */
#include "example-page.h"
#include "profile/page/order.h"

static void nodes_go_depth_first_and_the_fullest_first(void **state)
{
	_cleanup_(page_done) struct page p;
	struct page_tree t;

	(void)state;
	example_page_init(&p, 1);
	page_tree_init(&t, &p);
	example_page_cell(&p, 0, 0, example_page_stack(&t, "a;b"));
	example_page_cell(&p, 0, 0, example_page_stack(&t, "a;c"));
	example_page_cell(&p, 0, 1, example_page_stack(&t, "a;c;d"));
	example_page_cell(&p, 0, 2, example_page_stack(&t, "e"));
	page_tree_done(&t);
	page_cells_merge(&p);
	page_order_nodes(&p);
	assert_true(example_page_is(&p, 1, "a"));
	assert_true(example_page_is(&p, 2, "a;c"));
	assert_true(example_page_is(&p, 3, "a;c;d"));
	assert_true(example_page_is(&p, 4, "a;b"));
	assert_true(example_page_is(&p, 5, "e"));
	assert_int_equal(example_page_samples(&p, "a;c;d"), 1);
	assert_int_equal(p.cells.items[0].node, 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_go_depth_first_and_the_fullest_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
