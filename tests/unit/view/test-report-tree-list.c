/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "drawn-tree.h"

static void make_stacks(struct example_stacks *m)
{
	example_stacks_init(m);
	example_sample(m, "abf", 50);
	example_sample(m, "bf", 30);
	example_sample(m, "cf", 19);
	example_sample(m, "df", 1);
	example_settle(m, false);
}

static void flat_stacks_are_paragraphs_with_what_goes_on_below_them(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	make_stacks(&m);
	assert_drawn(&m, (struct report_tree_options){ .print = REPORT_TREE_FLAT, .threshold = 5 },
		     "f",
		     "           50.00%\n"
		     "                f\n"
		     "                b\n"
		     "                a\n"
		     "\n"
		     "           80.00%\n"
		     "                f\n"
		     "                b\n"
		     "\n"
		     "           19.00%\n"
		     "                f\n"
		     "                c\n"
		     "\n");
}

static void folded_stacks_are_lines(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	struct report_tree_options o = { .print = REPORT_TREE_FOLDED };

	(void)state;
	make_stacks(&m);
	assert_drawn(&m, o, "f", "50.00% f;b;a\n30.00% f;b\n19.00% f;c\n1.00% f;d\n");
	m.options.rq.callers_first = true;
	o.limit = 2;
	o.value = REPORT_TREE_COUNT;
	assert_drawn(&m, o, "f", "1 a;b;f\n1 b;f\n");
	o.form.separator = ", ";
	o.value = REPORT_TREE_PERIOD;
	assert_drawn(&m, o, "f", "50 a, b, f\n30 b, f\n");
}

static void of_equal_stacks_the_last_of_a_walk_comes_first(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "f", 1);
	example_sample(&m, "bf", 1);
	example_sample(&m, "cbf", 1);
	example_sample(&m, "cf", 1);
	example_settle(&m, false);
	assert_drawn(&m,
		     (struct report_tree_options){ .print = REPORT_TREE_FOLDED,
						   .value = REPORT_TREE_PERIOD },
		     "f", "1 f;c\n1 f;b;c\n1 f;b\n1 f\n");
}

static void stacks_that_weigh_nothing_are_not_listed(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "f", 0);
	example_settle(&m, false);
	assert_drawn(&m, (struct report_tree_options){ .print = REPORT_TREE_FOLDED }, "f", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flat_stacks_are_paragraphs_with_what_goes_on_below_them),
		cmocka_unit_test(folded_stacks_are_lines),
		cmocka_unit_test(of_equal_stacks_the_last_of_a_walk_comes_first),
		cmocka_unit_test(stacks_that_weigh_nothing_are_not_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
