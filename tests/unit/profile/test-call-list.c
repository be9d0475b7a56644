/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/call-list.h"

/* a (5) - b (7), - c (7); d (1) */
static const struct call_node inner[] = { { .self = { .period = 7 } },
					  { .self = { .period = 7 } } };
static const struct call_node outer[] = {
	{ .self = { .period = 5 }, .children = inner, .n_children = 2 },
	{ .self = { .period = 1 } },
};
static const struct call_tree tree = { .root = { .children = outer, .n_children = 2 } };

static void the_heaviest_comes_first_and_of_equals_the_last(void **state)
{
	_cleanup_(call_list_done) struct call_list l;

	(void)state;
	call_list_init(&l, &tree, &(struct call_tree_options){ 0 });
	assert_int_equal(l.n, 4);
	assert_ptr_equal(l.items[0]->node, &inner[1]);
	assert_ptr_equal(l.items[0]->above->node, &outer[0]);
	assert_null(l.items[0]->above->above);
	assert_ptr_equal(l.items[1]->node, &inner[0]);
	assert_ptr_equal(l.items[2]->node, &outer[0]);
	assert_ptr_equal(l.items[3]->node, &outer[1]);
}

static void what_is_below_the_threshold_is_left_out(void **state)
{
	_cleanup_(call_list_done) struct call_list l;

	(void)state;
	call_list_init(&l, &tree, &(struct call_tree_options){ .threshold = 0.3, .whole = 20 });
	assert_int_equal(l.n, 2);
}

static void stacks_that_weigh_nothing_are_in_no_list(void **state)
{
	static const struct call_node nothing = { .self = { .samples = 1 } };
	static const struct call_tree light = { .root = { .children = &nothing, .n_children = 1 } };
	_cleanup_(call_list_done) struct call_list l;

	(void)state;
	call_list_init(&l, &light, &(struct call_tree_options){ 0 });
	assert_int_equal(l.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_heaviest_comes_first_and_of_equals_the_last),
		cmocka_unit_test(what_is_below_the_threshold_is_left_out),
		cmocka_unit_test(stacks_that_weigh_nothing_are_in_no_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
