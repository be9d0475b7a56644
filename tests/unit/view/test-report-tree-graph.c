/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "drawn-tree.h"

/* Makes three callers of f: b with 60, c with 30 and d with 10; b has callers itself. */
static void make_callers(struct example_stacks *m)
{
	example_stacks_init(m);
	example_sample(m, "aabf", 40);
	example_sample(m, "acbf", 20);
	example_sample(m, "acf", 30);
	example_sample(m, "adf", 10);
	example_settle(m, false);
}

static void branches_have_their_share_of_all_and_runs_have_none(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	make_callers(&m);
	assert_drawn(&m, (struct report_tree_options){ .threshold = 0.5 }, "f",
		     "            |\n"
		     "            ---f\n"
		     "               |          \n"
		     "               |--60.00%--b\n"
		     "               |          |          \n"
		     "               |          |--40.00%--a\n"
		     "               |          |          a\n"
		     "               |          |          \n"
		     "               |           --20.00%--c\n"
		     "               |                     a\n"
		     "               |          \n"
		     "               |--30.00%--c\n"
		     "               |          a\n"
		     "               |          \n"
		     "                --10.00%--d\n"
		     "                          a\n"
		     "\n");
}

static void a_fractal_tree_tells_shares_of_the_branch_above_and_what_is_left(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	make_callers(&m);
	assert_drawn(&m,
		     (struct report_tree_options){ .print = REPORT_TREE_FRACTAL, .threshold = 20 },
		     "f",
		     "            |\n"
		     "            ---f\n"
		     "               |          \n"
		     "               |--60.00%--b\n"
		     "               |          |          \n"
		     "               |          |--66.67%--a\n"
		     "               |          |          a\n"
		     "               |          |          \n"
		     "               |           --33.33%--c\n"
		     "               |                     a\n"
		     "               |          \n"
		     "               |--30.00%--c\n"
		     "               |          a\n"
		     "                --10.00%--[...]\n"
		     "\n");
}

static void a_limit_cuts_branches_which_still_have_a_stem(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	make_callers(&m);
	assert_drawn(&m, (struct report_tree_options){ .limit = 1, .value = REPORT_TREE_PERIOD },
		     "f",
		     "            |\n"
		     "            ---f\n"
		     "               |          \n"
		     "               |--60--b\n"
		     "               |          |          \n"
		     "               |          |--40--a\n"
		     "               |          |          a\n"
		     "\n");
}

static void samples_that_end_at_the_root_remain_as_a_period_but_not_as_a_count(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	struct report_tree_options o = { .print = REPORT_TREE_FRACTAL };

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "f", 4);
	example_sample(&m, "bf", 6);
	example_settle(&m, false);
	assert_drawn(&m, o, "f",
		     "            |\n"
		     "            ---f\n"
		     "               |          \n"
		     "               |--60.00%--b\n"
		     "                --40.00%--[...]\n"
		     "\n");
	o.value = REPORT_TREE_COUNT;
	assert_drawn(&m, o, "f",
		     "            |\n"
		     "            ---f\n"
		     "               |          \n"
		     "               |--1--b\n"
		     "\n");
}

/* Rows without a symbol have several roots. */
static void several_roots_are_branches_of_nothing(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	make_callers(&m);
	m.options.rq.callers_first = true;
	assert_drawn(&m, (struct report_tree_options){ .threshold = 25 }, "f",
		     "            |\n"
		     "            ---a\n"
		     "               |          \n"
		     "               |--50.00%--c\n"
		     "               |          |          \n"
		     "               |           --30.00%--f\n"
		     "               |          \n"
		     "                --40.00%--a\n"
		     "                          b\n"
		     "                          f\n"
		     "\n");
	example_stacks_done(&m);
	example_stacks_init(&m);
	example_sample(&m, "af", 75);
	example_sample(&m, "g", 25);
	example_settle(&m, false);
	assert_drawn(&m, (struct report_tree_options){ .threshold = 0.5 }, "fg",
		     "            |          \n"
		     "            |--75.00%--f\n"
		     "            |          a\n"
		     "            |          \n"
		     "             --25.00%--g\n"
		     "\n");
}

static void a_root_that_is_not_all_of_the_row_has_its_share(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "a+f", 75);
	example_sample(&m, "+f", 25);
	example_settle(&m, false);
	assert_drawn(&m, (struct report_tree_options){ 0 }, "f",
		     "            |          \n"
		     "             --75.00%--a\n"
		     "\n");
}

static void the_first_frame_is_left_out_where_the_row_says_it(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	struct report_tree_options o = { .without_first = true };

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abf", 50);
	example_sample(&m, "g", 30);
	example_sample(&m, "bh", 15);
	example_sample(&m, "ch", 5);
	example_settle(&m, false);
	assert_drawn(&m, o, "f",
		     "            |\n"
		     "            ---b\n"
		     "               a\n"
		     "\n");
	assert_drawn(&m, o, "g", "");
	assert_drawn(&m, o, "h",
		     "            |          \n"
		     "            |--15.00%--b\n"
		     "            |          \n"
		     "             --5.00%--c\n"
		     "\n");
}

static void branches_below_the_threshold_leave_no_tree(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "f", 1);
	example_sample(&m, "g", 999);
	example_settle(&m, false);
	assert_drawn(&m, (struct report_tree_options){ .threshold = 0.5 }, "f", "");
}

static void colours_begin_above_half_a_percent_and_turn_red_from_five_on(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "bf", 939);
	example_sample(&m, "cf", 50);
	example_sample(&m, "df", 6);
	example_sample(&m, "ef", 5);
	example_settle(&m, false);
	assert_drawn(&m, (struct report_tree_options){ .form.colour = true, .threshold = 0.5 }, "f",
		     "            |\n"
		     "            ---f\n"
		     "               |          \n"
		     "               |--\033[31m93.90%\033[m--b\n"
		     "               |          \n"
		     "               |--\033[31m5.00%\033[m--c\n"
		     "               |          \n"
		     "               |--\033[32m0.60%\033[m--d\n"
		     "               |          \n"
		     "                --0.50%--e\n"
		     "\n");
}

/*
 * The stems of 32 levels are remembered, as in Linux's perf: below the 33rd level, the stem of the
 * first one is gone.
 */
static void levels_beyond_the_thirty_second_share_their_stems(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(report_tree_freep) struct report_tree *tree = NULL;
	char stack[40] = "";
	const char *deepest;

	(void)state;
	memset(stack, 'b', 35);
	example_stacks_init(&m);
	for (size_t i = 0; i < 35; i++)
		example_sample(&m, &stack[i], 2);
	example_sample(&m, "cb", 1);
	example_settle(&m, false);
	tree = report_tree_new(&(struct report_tree_options){ .order = &m.order }, &m.rows);
	report_tree_print(tree, example_row(&m, "b"), &t);
	/* The first level continues with c; the 33rd is the last of its own. */
	deepest = strstr(t.chars, "--8.45%--b");
	assert_non_null(deepest);
	while (deepest[-1] != '\n')
		deepest--;
	assert_memory_equal(deepest, "               |          ", 26);
	deepest = strstr(t.chars, "--5.63%--b");
	assert_non_null(deepest);
	while (deepest[-1] != '\n')
		deepest--;
	assert_memory_equal(deepest, "                          ", 26);
}

static void levels_become_narrower_where_lines_do_not_fit(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	make_callers(&m);
	assert_drawn(&m,
		     (struct report_tree_options){ .threshold = 0.5,
						   .form = { .columns = 37, .dots = "..." } },
		     "f",
		     "            |\n"
		     "            ---f\n"
		     "               |  \n"
		     "               |--60.00%--b\n"
		     "               |  |  \n"
		     "               |  |--40.00%--a\n"
		     "               |  |  a\n"
		     "               |  |  \n"
		     "               |   --20.00%--c\n"
		     "               |     a\n"
		     "               |  \n"
		     "               |--30.00%--c\n"
		     "               |  a\n"
		     "               |  \n"
		     "                --10.00%--d\n"
		     "                  a\n"
		     "\n");
}

/* The innermost levels have their stems, and no line is wider than the terminal. */
static void a_tree_deeper_than_the_terminal_stays_on_it(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(report_tree_freep) struct report_tree *tree = NULL;
	char stack[40] = "";

	(void)state;
	memset(stack, 'b', 35);
	example_stacks_init(&m);
	for (size_t i = 0; i < 35; i++)
		example_sample(&m, &stack[i], 2);
	example_settle(&m, false);
	tree = report_tree_new(
		&(struct report_tree_options){ .order = &m.order, .form.columns = 80 }, &m.rows);
	report_tree_print(tree, example_row(&m, "b"), &t);
	assert_non_null(strstr(t.chars, "            +1 "));
	for (const char *line = t.chars; *line; line = strchr(line, '\n') + 1)
		assert_true(strcspn(line, "\n") <= 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_have_their_share_of_all_and_runs_have_none),
		cmocka_unit_test(a_fractal_tree_tells_shares_of_the_branch_above_and_what_is_left),
		cmocka_unit_test(a_limit_cuts_branches_which_still_have_a_stem),
		cmocka_unit_test(
			samples_that_end_at_the_root_remain_as_a_period_but_not_as_a_count),
		cmocka_unit_test(several_roots_are_branches_of_nothing),
		cmocka_unit_test(a_root_that_is_not_all_of_the_row_has_its_share),
		cmocka_unit_test(the_first_frame_is_left_out_where_the_row_says_it),
		cmocka_unit_test(branches_below_the_threshold_leave_no_tree),
		cmocka_unit_test(colours_begin_above_half_a_percent_and_turn_red_from_five_on),
		cmocka_unit_test(levels_beyond_the_thirty_second_share_their_stems),
		cmocka_unit_test(levels_become_narrower_where_lines_do_not_fit),
		cmocka_unit_test(a_tree_deeper_than_the_terminal_stays_on_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
