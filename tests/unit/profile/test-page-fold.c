/* SPDX-License-Identifier: MIT */
#include "example-page.h"
#include "profile/page/fold.h"

static void callers_of_little_weight_go_and_what_is_innermost_stays(void **state)
{
	_cleanup_(page_done) struct page p;
	struct page_tree t;

	(void)state;
	example_page_init(&p, 1);
	page_tree_init(&t, &p);
	for (int i = 0; i < 98; i++)
		example_page_cell(&p, 0, 0, example_page_stack(&t, "main;work;read"));
	example_page_cell(&p, 0, 0, example_page_stack(&t, "main;cold;colder;read"));
	example_page_cell(&p, 0, 0, example_page_stack(&t, "main;cold"));
	page_tree_done(&t);
	page_cells_merge(&p);
	page_fold(&p, 0.05);
	assert_int_equal(example_page_samples(&p, "main;work;read"), 98);
	assert_int_equal(example_page_samples(&p, "main;read"), 1);
	assert_int_equal(example_page_samples(&p, "main;cold"), 1);
	assert_int_equal(p.nodes.n, 6);
	assert_int_equal(p.names.n, 4); /* "colder" is gone */
}

static void without_a_share_only_what_has_no_weight_goes(void **state)
{
	_cleanup_(page_done) struct page p;
	struct page_tree t;

	(void)state;
	example_page_init(&p, 1);
	page_tree_init(&t, &p);
	example_page_cell(&p, 0, 0, example_page_stack(&t, "main;work"));
	example_page_stack(&t, "main;other;never");
	page_tree_done(&t);
	page_fold(&p, 0);
	assert_int_equal(p.nodes.n, 3);
	assert_int_equal(p.names.n, 2);
	assert_int_equal(example_page_samples(&p, "main;work"), 1);
}

static void listings_keep_their_names(void **state)
{
	_cleanup_(page_done) struct page p;
	struct page_tree t;

	(void)state;
	example_page_init(&p, 1);
	page_tree_init(&t, &p);
	example_page_stack(&t, "gone");
	*ARRAY_ADD(&p.functions) = (struct page_function){ .name = page_tree_name(&t, "listed"),
							   .object = page_tree_object(&t, "lib") };
	page_tree_done(&t);
	page_fold(&p, 0);
	assert_int_equal(p.names.n, 1);
	assert_string_equal(p.names.items[p.functions.items[0].name], "listed");
	assert_string_equal(p.objects.items[p.functions.items[0].object], "lib");
}

static void small_tasks_of_one_name_are_one(void **state)
{
	_cleanup_(page_done) struct page p;

	(void)state;
	example_page_init(&p, 6);
	for (int i = 0; i < 95; i++)
		example_page_cell(&p, 2, 0, 0);
	for (uint32_t i = 0; i < 6; i++)
		example_page_cell(&p, i, 0, 0);
	page_cells_merge(&p);
	page_fold_tasks(&p, 0.5);
	assert_int_equal(p.tasks.n, 3); /* task 2, and all others merged by name */
	assert_int_equal(p.cells.n, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(p.cells.items[i].samples,
				 p.tasks.items[p.cells.items[i].task].pid == 2         ? 96
				 : p.tasks.items[p.cells.items[i].task].comm[0] == 'o' ? 3
										       : 2);
}

static void samples_count_where_periods_are_nothing(void **state)
{
	_cleanup_(page_done) struct page p;
	struct page_tree t;

	(void)state;
	example_page_init(&p, 1);
	page_tree_init(&t, &p);
	example_page_cell(&p, 0, 0, example_page_stack(&t, "main;work"));
	p.cells.items[0].weight = p.events.items[0].total = 0;
	page_tree_done(&t);
	page_fold(&p, 0.5);
	assert_int_equal(p.nodes.n, 3);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_of_little_weight_go_and_what_is_innermost_stays),
		cmocka_unit_test(without_a_share_only_what_has_no_weight_goes),
		cmocka_unit_test(listings_keep_their_names),
		cmocka_unit_test(small_tasks_of_one_name_are_one),
		cmocka_unit_test(samples_count_where_periods_are_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
