/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/calltree.h"

static void words_and_numbers_come_in_any_order(void **state)
{
	(void)state;
	struct calltree_opts o = { 0 };

	assert_int_equal(PARSE(calltree_options, &o, "-g", "caller,2.5,address,folded,10,count"),
			 0);
	assert_int_equal(o.layout.print, CALLTREE_PRINT_FOLDED);
	assert_int_equal(o.layout.order, CALLTREE_ORDER_CALLER);
	assert_int_equal(o.layout.key, FRAMES_BY_ADDRESS);
	assert_int_equal(o.layout.value, REPORT_TREE_COUNT);
	assert_true(o.layout.has_threshold && o.layout.threshold == 2.5);
	assert_int_equal(o.layout.limit, 10);
}

static void words_may_be_abbreviated(void **state)
{
	(void)state;
	struct calltree_opts o = { 0 };

	assert_int_equal(PARSE(calltree_options, &o, "-ggr,callee,peri,branch"), 0);
	assert_int_equal(o.layout.print, CALLTREE_PRINT_GRAPH);
	assert_int_equal(o.layout.order, CALLTREE_ORDER_CALLEE);
	assert_int_equal(o.layout.value, REPORT_TREE_PERIOD);
	assert_true(o.layout.branch);
}

static void a_bare_g_changes_nothing(void **state)
{
	(void)state;
	struct calltree_opts o = { 0 };

	assert_int_equal(PARSE(calltree_options, &o, "-g"), 0);
	assert_int_equal(o.layout.print, CALLTREE_PRINT_DEFAULT);
	assert_false(o.layout.has_threshold);
}

static void later_layouts_add_to_earlier_ones(void **state)
{
	(void)state;
	struct calltree_opts o = { 0 };

	assert_int_equal(PARSE(calltree_options, &o, "-g", "fractal", "-G", "-g", "1"), 0);
	assert_int_equal(o.layout.print, CALLTREE_PRINT_FRACTAL);
	assert_int_equal(o.layout.order, CALLTREE_ORDER_CALLER);
	assert_true(o.layout.threshold == 1);
}

static void trees_can_be_left_out(void **state)
{
	(void)state;
	struct calltree_opts a = { 0 }, b = { 0 };

	assert_int_equal(PARSE(calltree_options, &a, "--no-call-graph"), 0);
	assert_int_equal(a.layout.print, CALLTREE_PRINT_NONE);
	assert_int_equal(PARSE(calltree_options, &b, "-g", "none"), 0);
	assert_int_equal(b.layout.print, CALLTREE_PRINT_NONE);
}

static void a_word_that_means_nothing_is_marked(void **state)
{
	(void)state;
	struct calltree_opts o = { 0 };

	assert_int_equal(PARSE(calltree_options, &o, "--call-graph=graph,bad,caller"), -EINVAL);
	assert_true(says("'bad' says nothing about call trees\ngraph,bad,caller\n"));
	assert_true(says("fractal"));
	assert_int_equal(o.layout.print, CALLTREE_PRINT_DEFAULT);
	assert_int_equal(PARSE(calltree_options, &o, "--call-graph=graph,101"), -EINVAL);
	assert_int_equal(PARSE(calltree_options, &o, "--call-graph=nan"), -EINVAL);
	assert_int_equal(PARSE(calltree_options, &o, "--call-graph="), -EINVAL);
	assert_int_equal(PARSE(calltree_options, &o, "--call-graph=1,2.5"), -EINVAL);
}

static void a_misspelt_word_is_no_file(void **state)
{
	(void)state;
	struct calltree_opts o = { 0 };

	assert_int_equal(PARSE(calltree_options, &o, "-g", "calee"), -EINVAL);
	assert_true(says("'calee' says nothing about call trees, and is no file"));
	assert_true(says("Did you mean 'callee'"));
	assert_int_equal(PARSE(calltree_options, &o, "-gcaler"), -EINVAL);
	assert_true(says("Did you mean 'caller'"));
	assert_int_equal(PARSE(calltree_options, &o, "-g", "upwards"), -EINVAL);
	assert_true(says("fractal"));
	/* Other options after -g, and a word that may be a file. */
	assert_int_equal(PARSE(calltree_options, &o, "-gG"), 0);
	assert_int_equal(o.layout.order, CALLTREE_ORDER_CALLER);
	assert_int_equal(PARSE(calltree_options, &o, "-g", "new.data"), 0);
}

static void children_are_unsaid_yes_or_no(void **state)
{
	(void)state;
	struct calltree_opts o = { 0 };

	assert_int_equal(PARSE(calltree_options, &o, "--max-stack", "5"), 0);
	assert_int_equal(o.children, CHOICE_UNSAID);
	assert_int_equal(o.max_stack, 5);
	assert_int_equal(PARSE(calltree_options, &o, "--no-children"), 0);
	assert_int_equal(o.children, CHOICE_NO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_and_numbers_come_in_any_order),
		cmocka_unit_test(words_may_be_abbreviated),
		cmocka_unit_test(a_bare_g_changes_nothing),
		cmocka_unit_test(later_layouts_add_to_earlier_ones),
		cmocka_unit_test(trees_can_be_left_out),
		cmocka_unit_test(a_word_that_means_nothing_is_marked),
		cmocka_unit_test(a_misspelt_word_is_no_file),
		cmocka_unit_test(children_are_unsaid_yes_or_no),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
