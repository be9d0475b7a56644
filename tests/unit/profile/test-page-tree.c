/* SPDX-License-Identifier: MIT */
#include "example-page.h"

static void stacks_share_their_outer_frames(void **state)
{
	_cleanup_(page_done) struct page p;
	_cleanup_(page_tree_done) struct page_tree t;
	uint32_t a, b;

	(void)state;
	page_init(&p);
	page_tree_init(&t, &p);
	a = example_page_stack(&t, "main;work;read");
	b = example_page_stack(&t, "main;work;write");
	assert_int_not_equal(a, b);
	assert_int_equal(p.nodes.items[a].parent, p.nodes.items[b].parent);
	assert_int_equal(p.nodes.n, 5);
	assert_int_equal(p.names.n, 4);
	assert_int_equal(p.objects.n, 2);
	assert_true(example_page_is(&p, a, "main;work;read"));
	assert_false(example_page_is(&p, a, "work;read"));
}

static void one_name_in_two_objects_is_two_nodes(void **state)
{
	_cleanup_(page_done) struct page p;
	_cleanup_(page_tree_done) struct page_tree t;
	uint32_t name;

	(void)state;
	page_init(&p);
	page_tree_init(&t, &p);
	name = page_tree_name(&t, "read");
	assert_int_not_equal(page_tree_node(&t, 0, name, page_tree_object(&t, "a"), FLAME_USER),
			     page_tree_node(&t, 0, name, page_tree_object(&t, "b"), FLAME_USER));
}

static void the_kind_does_not_depend_on_who_came_first(void **state)
{
	_cleanup_(page_done) struct page p;
	_cleanup_(page_tree_done) struct page_tree t;
	uint32_t name, node;

	(void)state;
	page_init(&p);
	page_tree_init(&t, &p);
	name = page_tree_name(&t, "read");
	node = page_tree_node(&t, 0, name, 0, FLAME_INLINED);
	assert_int_equal(page_tree_node(&t, 0, name, 0, FLAME_USER), node);
	assert_int_equal(page_tree_node(&t, 0, name, 0, FLAME_INLINED), node);
	assert_int_equal(p.nodes.items[node].kind, FLAME_USER);
}

static void many_nodes_are_all_found_again(void **state)
{
	_cleanup_(page_done) struct page p;
	_cleanup_(page_tree_done) struct page_tree t;

	(void)state;
	page_init(&p);
	page_tree_init(&t, &p);
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(page_tree_node(&t, i / 2, i, 0, FLAME_USER), i + 1);
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(page_tree_node(&t, i / 2, i, 0, FLAME_USER), i + 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_share_their_outer_frames),
		cmocka_unit_test(one_name_in_two_objects_is_two_nodes),
		cmocka_unit_test(the_kind_does_not_depend_on_who_came_first),
		cmocka_unit_test(many_nodes_are_all_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
