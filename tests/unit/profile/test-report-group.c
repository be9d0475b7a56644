/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "example-rows.h"

static const char *who(const struct report_group *g, size_t i)
{
	return (const char *)(uintptr_t)g->entries[i].row->values[0];
}

static void one_event_keeps_its_rows(void **state)
{
	struct example_rows a;
	_cleanup_(report_group_freep) struct report_group *g = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "z", "f", 30);
	example_add(&a, "a", "f", 30);
	g = report_group_new((const struct report_rows *[]){ &a.rows }, 1, 0);
	assert_int_equal(g->n, 2);
	assert_string_equal(who(g, 0), "z");
	assert_ptr_equal(g->entries[1].members[0], &a.items[1]);
}

static void rows_with_the_same_keys_are_one_entry(void **state)
{
	struct example_rows a, b;
	_cleanup_(report_group_freep) struct report_group *g = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "sh", "f", 30);
	example_add(&a, "ls", "f", 20);
	example_rows_init(&b);
	example_add(&b, "ls", "f", 50);
	example_add(&b, "wc", "f", 40);
	g = report_group_new((const struct report_rows *[]){ &a.rows, &b.rows }, 2, 0);
	assert_int_equal(g->n, 3);
	assert_string_equal(who(g, 0), "sh");
	assert_null(g->entries[0].members[1]);
	assert_string_equal(who(g, 1), "ls");
	assert_ptr_equal(g->entries[1].members[0], &a.items[1]);
	assert_ptr_equal(g->entries[1].members[1], &b.items[0]);
	assert_string_equal(who(g, 2), "wc");
	assert_null(g->entries[2].members[0]);
	assert_ptr_equal(g->entries[2].rows, &b.rows);
}

static void rows_that_filters_leave_out_are_no_entries(void **state)
{
	struct example_rows a, b;
	_cleanup_(report_group_freep) struct report_group *g = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "sh", "f", 30);
	example_add(&a, "ls", "f", 20);
	a.items[1].is_hidden = true;
	a.rows.n--;
	a.rows.n_hidden++;
	example_rows_init(&b);
	example_add(&b, "ls", "f", 50);
	g = report_group_new((const struct report_rows *[]){ &a.rows, &b.rows }, 2, 0);
	assert_int_equal(g->n, 2);
	assert_string_equal(who(g, 0), "sh");
	assert_string_equal(who(g, 1), "ls");
	assert_null(g->entries[1].members[0]);
}

static void equal_weights_of_the_leader_leave_it_to_the_next(void **state)
{
	struct example_rows a, b;
	_cleanup_(report_group_freep) struct report_group *g = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "a", "f", 10);
	example_add(&a, "b", "f", 10);
	example_rows_init(&b);
	example_add(&b, "b", "f", 1);
	g = report_group_new((const struct report_rows *[]){ &a.rows, &b.rows }, 2, 0);
	assert_string_equal(who(g, 0), "b");
}

static void another_member_may_decide(void **state)
{
	struct example_rows a, b;
	const struct report_rows *members[] = { &a.rows, &b.rows };
	_cleanup_(report_group_freep) struct report_group *g = NULL;
	_cleanup_(report_group_freep) struct report_group *beyond = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "a", "f", 20);
	example_add(&a, "b", "f", 10);
	example_rows_init(&b);
	example_add(&b, "b", "f", 5);
	g = report_group_new(members, 2, 1);
	assert_string_equal(who(g, 0), "b");
	beyond = report_group_new(members, 2, 2);
	assert_string_equal(who(beyond, 0), "a");
}

static const struct row_order by_total[] = {
	{ ROW_BY_TOTAL, 0 },
	{ ROW_BY_KEY, 0 },
};

static void of_totals_the_leaders_decide_alone(void **state)
{
	struct report_options o = example_options;
	struct example_rows a, b;
	const struct report_rows *members[] = { &a.rows, &b.rows };
	_cleanup_(report_group_freep) struct report_group *g = NULL;
	_cleanup_(report_group_freep) struct report_group *deep = NULL;

	(void)state;
	o.order = by_total;
	o.n_order = 2;
	example_rows_init(&a);
	example_rows_init(&b);
	a.rows.options = b.rows.options = &o;
	example_add(&a, "a", "f", 10);
	example_add(&a, "b", "f", 10);
	example_add(&b, "b", "f", 90);
	g = report_group_new(members, 2, 0);
	assert_string_equal(who(g, 0), "a");
	/* With call trees, deeper stacks of the same thread come first. */
	o.rq.with_trees = o.rq.callers_first = true;
	a.items[1].depth = 5;
	deep = report_group_new(members, 2, 0);
	assert_string_equal(who(deep, 0), "b");
}

static void figures_are_counts_or_shares(void **state)
{
	struct report_options o = example_options;
	struct example_rows a, b;
	const struct report_rows *members[] = { &a.rows, &b.rows };
	_cleanup_(report_group_freep) struct report_group *g = NULL;
	const struct figure *overhead = figure_get("overhead"), *samples = figure_get("sample");
	const struct figure *children = figure_get("overhead_children");

	(void)state;
	example_rows_init(&a);
	example_rows_init(&b);
	a.rows.options = b.rows.options = &o;
	example_add(&a, "a", "f", 250);
	example_add(&a, "b", "f", 750);
	example_add(&b, "b", "f", 10);
	g = report_group_new(members, 2, 0);
	assert_true(report_group_figure(g, overhead, &g->entries[0], 0).percent == 75);
	assert_true(report_group_figure(g, overhead, &g->entries[0], 1).percent == 100);
	assert_int_equal(report_group_figure(g, samples, &g->entries[1], 0).number, 25);
	assert_int_equal(report_group_figure(g, samples, &g->entries[1], 1).number, 0);
	/* Callers have no weight unless they have rows. */
	assert_int_equal(report_group_figure(g, children, &g->entries[0], 0).type, VALUE_NONE);
	o.children = true;
	assert_true(report_group_figure(g, children, &g->entries[0], 0).percent == 75);
	/* A share of nothing is 0. */
	a.rows.shown.period = 0;
	assert_true(report_group_figure(g, overhead, &g->entries[0], 0).percent == 0);
	o.rq.absolute = true;
	assert_true(report_group_figure(g, overhead, &g->entries[0], 0).percent == 75);
}

static void rows_below_the_limit_are_not_shown(void **state)
{
	struct report_options o = example_options;
	struct example_rows a;
	_cleanup_(report_group_freep) struct report_group *g = NULL;

	(void)state;
	o.rq.percent_limit = 25;
	example_rows_init(&a);
	a.rows.options = &o;
	example_add(&a, "b", "f", 750);
	example_add(&a, "a", "f", 250);
	g = report_group_new((const struct report_rows *[]){ &a.rows }, 1, 0);
	assert_true(report_entry_is_shown(g, &g->entries[1]));
	o.rq.percent_limit = 25.1;
	assert_true(report_entry_is_shown(g, &g->entries[0]));
	assert_false(report_entry_is_shown(g, &g->entries[1]));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_event_keeps_its_rows),
		cmocka_unit_test(rows_with_the_same_keys_are_one_entry),
		cmocka_unit_test(rows_that_filters_leave_out_are_no_entries),
		cmocka_unit_test(equal_weights_of_the_leader_leave_it_to_the_next),
		cmocka_unit_test(another_member_may_decide),
		cmocka_unit_test(of_totals_the_leaders_decide_alone),
		cmocka_unit_test(figures_are_counts_or_shares),
		cmocka_unit_test(rows_below_the_limit_are_not_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
