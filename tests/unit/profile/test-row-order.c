/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/row-order.h"

#define NO_ROW UINT32_MAX

/*
 * Keys whose values are numbers; the second has an order of its own, and another one that decides
 * between equals.
 */
static int compare_tens(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return a / 10 < b / 10 ? -1 : a / 10 > b / 10;
}

static int compare_down(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return a > b ? -1 : a < b;
}

static const struct key_type types[] = {
	{ .name = "number" },
	{ .name = "tens", .compare = compare_tens, .identity = compare_down },
};
static const struct key keys[] = { { .type = &types[0] }, { .type = &types[1] } };

struct example_row {
	struct report_row row;
	uint64_t values[2];
};

/* Sorts @rows by @order and returns them. The caller frees the array. */
static struct report_row *sorted(struct report_options *o, struct example_row *rows, size_t n)
{
	static struct key_env env = { .has_image_key = true };
	struct report_rows r = { .options = o, .rows = xcalloc(n, sizeof(*r.rows)), .n = n };

	o->env = &env;
	o->keys = keys;
	o->n_keys = 2;
	for (size_t i = 0; i < n; i++) {
		r.rows[i] = rows[i].row;
		r.rows[i].values = rows[i].values;
	}
	rows_sort(&r);
	return r.rows;
}

static void the_heaviest_stand_first(void **state)
{
	static const struct row_order order[] = { { ROW_BY_TOTAL, 0 }, { ROW_BY_SELF, 0 } };
	struct report_options o = { .order = order, .n_order = 2 };
	struct example_row rows[] = {
		{ .row = { .total.period = 5, .self.period = 1 }, .values = { 1 } },
		{ .row = { .total.period = 9, .self.period = 0 }, .values = { 2 } },
		{ .row = { .total.period = 5, .self.period = 4 }, .values = { 3 } },
	};
	_cleanup_(freep) struct report_row *s = sorted(&o, rows, 3);

	(void)state;
	assert_int_equal(s[0].values[0], 2);
	assert_int_equal(s[1].values[0], 3);
	assert_int_equal(s[2].values[0], 1);
}

static void equal_rows_go_by_the_keys(void **state)
{
	static const struct row_order order[] = { { ROW_BY_SAMPLES, 0 },
						  { ROW_BY_KEY, 0 },
						  { ROW_BY_KEY, 1 } };
	struct report_options o = { .order = order, .n_order = 3 };
	struct example_row rows[] = { { .values = { 2, 11 } },
				      { .values = { 1, 25 } },
				      { .values = { 1, 13 } } };
	_cleanup_(freep) struct report_row *s = sorted(&o, rows, 3);

	(void)state;
	assert_int_equal(s[0].values[1], 13);
	assert_int_equal(s[1].values[1], 25);
	assert_int_equal(s[2].values[0], 2);
}

static void where_no_key_says_what_tells_them_apart_does(void **state)
{
	static const struct row_order order[] = { { ROW_BY_KEY, 1 } };
	struct report_options o = { .order = order, .n_order = 1 };
	struct example_row rows[] = { { .values = { 1, 11 } },
				      { .values = { 1, 13 } },
				      { .values = { 1, 12 } } };
	_cleanup_(freep) struct report_row *s = sorted(&o, rows, 3);

	(void)state;
	assert_int_equal(s[0].values[1], 13);
	assert_int_equal(s[1].values[1], 12);
	assert_int_equal(s[2].values[1], 11);
}

/* The order has more parts than the words beside a row can hold. */
static void many_parts_of_an_order_all_count(void **state)
{
	static const struct row_order order[] = { { ROW_BY_TOTAL, 0 },
						  { ROW_BY_SELF, 0 },
						  { ROW_BY_SAMPLES, 0 },
						  { ROW_BY_KEY, 0 },
						  { ROW_BY_KEY, 1 } };
	struct report_options o = { .order = order, .n_order = 5 };
	struct example_row rows[] = {
		{ .row = { .self.samples = 1 }, .values = { UINT64_MAX, 11 } },
		{ .row = { .self.samples = 1 }, .values = { UINT64_MAX - 1, 25 } },
		{ .row = { .self.samples = 1 }, .values = { UINT64_MAX - 1, 13 } },
		{ .row = { .self.samples = 2 }, .values = { UINT64_MAX, 11 } },
	};
	_cleanup_(freep) struct report_row *s = sorted(&o, rows, 4);

	(void)state;
	assert_int_equal(s[0].self.samples, 2);
	assert_int_equal(s[1].values[1], 13);
	assert_int_equal(s[2].values[1], 25);
	assert_int_equal(s[3].values[1], 11);
}

static void callers_of_one_task_read_like_a_stack(void **state)
{
	static const struct row_order order[] = { { ROW_BY_TOTAL, 0 }, { ROW_BY_KEY, 0 } };
	struct report_options o = { .order = order,
				    .n_order = 2,
				    .children = true,
				    .rq.with_trees = true,
				    .rq.callers_first = true };
	struct example_row rows[] = {
		{ .row = { .depth = 1, .task = 7 }, .values = { 1 } },
		{ .row = { .depth = 3, .task = 7 }, .values = { 2 } },
		{ .row = { .depth = 2, .task = 7 }, .values = { 3 } },
	};
	_cleanup_(freep) struct report_row *inward = sorted(&o, rows, 3), *outward = NULL;

	(void)state;
	assert_int_equal(inward[0].depth, 3);
	assert_int_equal(inward[1].depth, 2);
	o.rq.callers_first = false;
	outward = sorted(&o, rows, 3);
	assert_int_equal(outward[0].depth, 1);
	assert_int_equal(outward[1].depth, 2);
}

static void depth_says_nothing_about_different_tasks(void **state)
{
	static const struct row_order order[] = { { ROW_BY_TOTAL, 0 }, { ROW_BY_KEY, 0 } };
	struct report_options o = { .order = order,
				    .n_order = 2,
				    .children = true,
				    .rq.with_trees = true,
				    .rq.callers_first = true };
	struct example_row rows[] = {
		{ .row = { .depth = 1, .task = 7 }, .values = { 1 } },
		{ .row = { .depth = 3, .task = 8 }, .values = { 2 } },
	};
	_cleanup_(freep) struct report_row *s = sorted(&o, rows, 2);

	(void)state;
	assert_int_equal(s[0].values[0], 1);
}

static void no_rows_are_sorted_already(void **state)
{
	struct report_options o = { 0 };
	struct report_rows none = { .options = &o };

	(void)state;
	rows_sort(&none);
	assert_int_equal(none.n, 0);
	assert_null(none.rows);
}

static void find_arrivals(struct report_row *rows, const uint32_t *row_of, const struct stacks *s,
			  bool callers_first)
{
	_cleanup_(freep) struct node_arrival *nodes = nodes_find_arrivals(s);

	rows_find_arrivals(rows, row_of, s, nodes, true, callers_first);
}

/* a calls b calls c; c was sampled at 50 by task 1, b at 40 by task 2. */
static void arrivals_are_of_the_first_sample_below(void **state)
{
	_cleanup_(stacks_done) struct stacks s = { 0 };
	struct report_row rows[3] = { 0 };
	uint32_t root = stacks_root(&s, 0), a = stacks_child(&s, root, 'a'),
		 b = stacks_child(&s, a, 'b'), c = stacks_child(&s, b, 'c');
	const uint32_t row_of[] = { NO_ROW, 0, 1, 2 };

	(void)state;
	stack_weight_add(&s.weights[c], (struct weight){ 1, 1 }, 50, 1);
	stack_weight_add(&s.weights[b], (struct weight){ 1, 1 }, 40, 2);
	stacks_settle(&s);
	find_arrivals(rows, row_of, &s, true);
	assert_int_equal(rows[0].first, 40);
	assert_int_equal(rows[0].task, 2);
	assert_int_equal(rows[0].depth, 3); /* a, b, c */
	assert_int_equal(rows[2].first, 50);
	assert_int_equal(rows[2].task, 1);
}

/* a calls b calls c, which was sampled. */
static void rows_of_one_sample_come_as_the_stack_is_walked(void **state)
{
	_cleanup_(stacks_done) struct stacks s = { 0 };
	struct report_row down[3] = { 0 }, up[3] = { 0 };
	uint32_t a = stacks_child(&s, stacks_root(&s, 0), 'a'), b = stacks_child(&s, a, 'b'),
		 c = stacks_child(&s, b, 'c');
	const uint32_t row_of[] = { NO_ROW, 0, 1, 2 };

	(void)state;
	stack_weight_add(&s.weights[c], (struct weight){ 1, 1 }, 50, 1);
	stacks_settle(&s);
	find_arrivals(down, row_of, &s, true);
	assert_int_equal(down[2].nth, 0);
	assert_true(down[0].nth < down[1].nth);
	find_arrivals(up, row_of, &s, false);
	assert_int_equal(up[2].nth, 0);
	assert_true(up[1].nth < up[0].nth);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_heaviest_stand_first),
		cmocka_unit_test(equal_rows_go_by_the_keys),
		cmocka_unit_test(where_no_key_says_what_tells_them_apart_does),
		cmocka_unit_test(many_parts_of_an_order_all_count),
		cmocka_unit_test(callers_of_one_task_read_like_a_stack),
		cmocka_unit_test(depth_says_nothing_about_different_tasks),
		cmocka_unit_test(no_rows_are_sorted_already),
		cmocka_unit_test(arrivals_are_of_the_first_sample_below),
		cmocka_unit_test(rows_of_one_sample_come_as_the_stack_is_walked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
