/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cleanup.h"
#include "symbol/tree.h"

/*
 * Returns the number of symbols below @i, and checks that all are in order between @low and @high;
 * *@ret_height is the depth.
 */
static size_t check(const struct symbol_tree *t, const struct symbol_history *h, uint32_t i,
		    uint64_t low, uint64_t high, unsigned *ret_height)
{
	unsigned left, right;

	*ret_height = 0;
	if (i == SYMBOL_TREE_NONE)
		return 0;
	assert_true(h->starts[i] >= low && h->starts[i] <= high);

	size_t n = 1 + check(t, h, t->items[i].left, low, h->starts[i], &left) +
		   check(t, h, t->items[i].right, h->starts[i], high, &right);

	*ret_height = 1 + (left > right ? left : right);
	return n;
}

static void an_empty_history_is_an_empty_tree(void **state)
{
	struct symbol_history h = { 0 };
	struct symbol_tree t;

	(void)state;
	symbol_tree_build(&h, &t);
	assert_int_equal(t.root, SYMBOL_TREE_NONE);
	free(t.items);
}

static void what_comes_in_order_is_balanced(void **state)
{
	_cleanup_(symbol_history_done) struct symbol_history h = { 0 };
	struct symbol_tree t;
	unsigned height;

	(void)state;
	for (unsigned i = 0; i < 7; i++)
		assert_int_equal(symbol_history_insert(&h, i), i);
	symbol_tree_build(&h, &t);
	/*
	 * 0 1 2 rotates about 1; then 3 4 5 about 3, with 5 6 below: the root stays 1 until it has
	 * 8.
	 */
	assert_int_equal(t.root, 1);
	assert_int_equal(t.items[1].left, 0);
	assert_int_equal(t.items[1].right, 3);
	assert_int_equal(t.items[3].right, 5);
	assert_int_equal(check(&t, &h, t.root, 0, 7, &height), 7);
	assert_int_equal(height, 4);
	free(t.items);
}

static void equal_starts_lie_behind(void **state)
{
	_cleanup_(symbol_history_done) struct symbol_history h = { 0 };
	struct symbol_tree t;

	(void)state;
	symbol_history_insert(&h, 5);
	symbol_history_insert(&h, 5);
	symbol_tree_build(&h, &t);
	assert_int_equal(t.root, 0);
	assert_int_equal(t.items[0].right, 1);
	free(t.items);
}

static void dropped_symbols_are_gone(void **state)
{
	_cleanup_(symbol_history_done) struct symbol_history h = { 0 };
	struct symbol_tree t;
	unsigned height;
	size_t dropped = 0;

	(void)state;
	for (unsigned i = 0; i < 2000; i++)
		symbol_history_insert(&h, i * 7919u % 2003);
	for (unsigned i = 0; i < 2000; i += 1 + i % 3, dropped++)
		symbol_history_drop(&h, i);
	for (unsigned i = 0; i < 500; i++)
		symbol_history_insert(&h, 1 + i * 104729u % 4001);
	symbol_tree_build(&h, &t);
	assert_int_equal(check(&t, &h, t.root, 0, UINT64_MAX, &height), 2500 - dropped);
	assert_in_range(height, 10, 24);
	free(t.items);
}

static void all_can_be_dropped(void **state)
{
	_cleanup_(symbol_history_done) struct symbol_history h = { 0 };
	struct symbol_tree t;

	(void)state;
	for (unsigned i = 0; i < 50; i++)
		symbol_history_insert(&h, i * 31 % 53);
	for (unsigned i = 0; i < 50; i++)
		symbol_history_drop(&h, i);
	symbol_tree_build(&h, &t);
	assert_int_equal(t.root, SYMBOL_TREE_NONE);
	free(t.items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_history_is_an_empty_tree),
		cmocka_unit_test(what_comes_in_order_is_balanced),
		cmocka_unit_test(equal_starts_lie_behind),
		cmocka_unit_test(dropped_symbols_are_gone),
		cmocka_unit_test(all_can_be_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
