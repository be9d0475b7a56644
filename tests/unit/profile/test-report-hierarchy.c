/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "example-rows.h"
#include "profile/report-hierarchy.h"

static const char *word(const struct hierarchy_row *row, size_t key)
{
	return (const char *)(uintptr_t)row->entry.row->values[key];
}

static void rows_weigh_what_those_within_do(void **state)
{
	struct example_rows a;
	struct report_plan plan = example_hierarchy_plan();
	_cleanup_(report_group_freep) struct report_group *g = NULL;
	_cleanup_(report_hierarchy_freep) struct report_hierarchy *h = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "ls", "f", 40);
	example_add(&a, "sh", "g", 30);
	example_add(&a, "sh", "f", 30);
	g = report_group_new((const struct report_rows *[]){ &a.rows }, 1, 0);
	h = report_hierarchy_new(g, &plan);
	assert_int_equal(h->n, 2);
	assert_string_equal(word(&h->rows[0], 0), "sh");
	assert_int_equal(h->rows[0].entry.members[0]->self.period, 60);
	assert_int_equal(h->rows[0].entry.members[0]->self.samples, 6);
	assert_int_equal(h->rows[0].n_children, 2);
	assert_string_equal(word(&h->rows[0].children[0], 1), "f");
	assert_ptr_equal(h->rows[0].children[0].entry.members[0], &a.items[2]);
	assert_string_equal(word(&h->rows[1], 0), "ls");
	assert_int_equal(h->rows[1].n_children, 1);
	assert_int_equal(h->rows[1].children[0].n_children, 0);
}

static void members_are_summed_up_each(void **state)
{
	struct example_rows a, b;
	struct report_plan plan = example_hierarchy_plan();
	_cleanup_(report_group_freep) struct report_group *g = NULL;
	_cleanup_(report_hierarchy_freep) struct report_hierarchy *h = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "sh", "f", 10);
	example_rows_init(&b);
	example_add(&b, "sh", "f", 20);
	example_add(&b, "sh", "g", 30);
	g = report_group_new((const struct report_rows *[]){ &a.rows, &b.rows }, 2, 0);
	h = report_hierarchy_new(g, &plan);
	assert_int_equal(h->n, 1);
	assert_int_equal(h->rows[0].entry.members[0]->self.period, 10);
	assert_int_equal(h->rows[0].entry.members[1]->self.period, 50);
}

static void nothing_makes_nothing(void **state)
{
	struct example_rows a;
	struct report_plan plan = example_hierarchy_plan();
	_cleanup_(report_group_freep) struct report_group *g = NULL;
	_cleanup_(report_hierarchy_freep) struct report_hierarchy *h = NULL;

	(void)state;
	example_rows_init(&a);
	g = report_group_new((const struct report_rows *[]){ &a.rows }, 1, 0);
	h = report_hierarchy_new(g, &plan);
	assert_int_equal(h->n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_weigh_what_those_within_do),
		cmocka_unit_test(members_are_summed_up_each),
		cmocka_unit_test(nothing_makes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
