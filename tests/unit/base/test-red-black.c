/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/red-black.h"

#define N 1000

/* Numbers are their own keys. */
static void insert(struct red_black *t, uint32_t n)
{
	uint32_t parent = RED_BLACK_NIL, at = t->root;
	enum red_black_side side = RED_BLACK_LEFT;

	while (at != RED_BLACK_NIL) {
		parent = at;
		side = n < at ? RED_BLACK_LEFT : RED_BLACK_RIGHT;
		at = t->nodes[at].child[side];
	}
	red_black_insert(t, n, parent, side);
}

/*
 * Returns the number of black nodes on every path down from @n, and checks that red nodes have
 * black children.
 */
static unsigned blacks(const struct red_black *t, uint32_t n)
{
	if (n == RED_BLACK_NIL)
		return 1;
	const struct red_black_node *node = &t->nodes[n];
	unsigned left = blacks(t, node->child[0]), right = blacks(t, node->child[1]);

	assert_int_equal(left, right);
	if (node->is_red) {
		assert_false(t->nodes[node->child[0]].is_red);
		assert_false(t->nodes[node->child[1]].is_red);
	}
	return left + !node->is_red;
}

static void nodes_are_walked_from_left_to_right(void **state)
{
	struct red_black t;
	uint32_t expected = 1;

	(void)state;
	red_black_init(&t, N);
	assert_int_equal(red_black_first(&t), RED_BLACK_NIL);
	for (uint32_t i = 0; i < N; i++)
		insert(&t, i * 7 % N + 1);
	blacks(&t, t.root);
	for (uint32_t n = red_black_first(&t); n != RED_BLACK_NIL; n = red_black_next(&t, n))
		assert_int_equal(n, expected++);
	assert_int_equal(expected, N + 1);
	red_black_done(&t);
}

static void what_is_taken_out_is_not_met_again(void **state)
{
	struct red_black t;
	uint32_t expected = 2;

	(void)state;
	red_black_init(&t, N);
	for (uint32_t i = 1; i <= N; i++)
		insert(&t, i);
	for (uint32_t i = 1; i <= N; i += 2) {
		red_black_erase(&t, i);
		blacks(&t, t.root);
	}
	for (uint32_t n = red_black_first(&t); n != RED_BLACK_NIL; n = red_black_next(&t, n)) {
		assert_int_equal(n, expected);
		expected += 2;
	}
	assert_int_equal(expected, N + 2);
	red_black_done(&t);
}

static int by_first_letter(const void *a, const void *b, void *arg)
{
	++*(size_t *)arg;
	return *(const char *)a - *(const char *)b;
}

static void equal_things_keep_their_order_when_sorted(void **state)
{
	const char *words[] = { "c1", "a1", "b1", "a2", "c2", "a3" };
	static const char *const wanted[] = { "a1", "a2", "a3", "b1", "c1", "c2" };
	size_t n_calls = 0;

	(void)state;
	red_black_sort((const void **)words, 6, by_first_letter, &n_calls);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(words[i], wanted[i]);
	assert_true(n_calls > 0);
	red_black_sort(NULL, 0, by_first_letter, &n_calls);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_are_walked_from_left_to_right),
		cmocka_unit_test(what_is_taken_out_is_not_met_again),
		cmocka_unit_test(equal_things_keep_their_order_when_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
