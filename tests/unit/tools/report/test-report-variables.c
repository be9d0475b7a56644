/* SPDX-License-Identifier: MIT */
#include "options/lines.h"

#include "tools/report/opts.h"

extern const struct command cmd_report;

#define OPTS(name, text, ...)                                                                      \
	_cleanup_(config_done) struct config name##_config = { 0 };                                \
	struct report_opts name;                                                                   \
	parse_configured(&cmd_report, &name##_config, text, &name,                                 \
			 (char *[]){ "--stdio", ##__VA_ARGS__, NULL })

static void no_limit_typed_beats_a_configured_one(void **state)
{
	OPTS(unsaid, "[report]\n\tpercent-limit = 3\n");
	OPTS(typed, "[report]\n\tpercent-limit = 3\n", "--percent-limit", "0");

	(void)state;
	assert_true(unsaid.calltree.layout.row_limit == 3);
	assert_true(typed.calltree.layout.row_limit == 0);
	assert_true(typed.calltree.layout.threshold == 0);
}

static void the_words_of_g_beat_configured_ones(void **state)
{
	static const char text[] = "[call-graph]\n\tsort-key = address\n\tprint-limit = 7\n"
				   "\tthreshold = 9\n\torder = callee\n\tprint-type = fractal\n";
	OPTS(unsaid, text);
	OPTS(typed, text, "-g", "graph,0,0,caller,function");

	(void)state;
	assert_int_equal(unsaid.calltree.layout.key, FRAMES_BY_ADDRESS);
	assert_int_equal(unsaid.calltree.layout.limit, 7);
	assert_int_equal(typed.calltree.layout.key, FRAMES_BY_FUNCTION);
	assert_int_equal(typed.calltree.layout.limit, 0);
	assert_true(typed.calltree.layout.threshold == 0);
	assert_int_equal(typed.calltree.layout.order, CALLTREE_ORDER_CALLER);
	assert_int_equal(typed.calltree.layout.print, CALLTREE_PRINT_GRAPH);
}

static void flags_typed_beat_configured_ones(void **state)
{
	static const char text[] =
		"[report]\n\tchildren = true\n\tgroup = false\n\tsort_order = dso\n"
		"[hist]\n\tpercentage = absolute\n";
	OPTS(typed, text, "--no-children", "--group", "-s", "comm", "--percentage", "relative");

	(void)state;
	assert_int_equal(typed.calltree.children, CHOICE_NO);
	assert_int_equal(typed.tables.group, CHOICE_YES);
	assert_string_equal(typed.profile.plan.sort, "comm");
	assert_string_equal(typed.sort_order, "dso");
	assert_int_equal(typed.percentage, PERCENTAGE_RELATIVE);
}

static void groups_are_only_turned_off_by_their_variable(void **state)
{
	OPTS(yes, "[report]\ngroup = true\n");
	OPTS(no, "[report]\ngroup = false\n");

	(void)state;
	assert_int_equal(yes.tables.group, CHOICE_UNSAID);
	assert_int_equal(no.tables.group, CHOICE_NO);
}

static void the_limit_of_rows_goes_before_that_of_branches(void **state)
{
	OPTS(both, "[call-graph]\nthreshold = 9\n[report]\npercent-limit = 3\n");
	OPTS(one, "[call-graph]\nthreshold = 9%\n");

	(void)state;
	assert_true(both.calltree.layout.threshold == 3);
	assert_true(both.calltree.layout.row_limit == 3);
	assert_true(one.calltree.layout.threshold == 9);
	assert_true(one.calltree.layout.row_limit == 0);
}

static void an_older_name_of_the_order_is_understood(void **state)
{
	OPTS(older, "[report]\nsort-order = dso\n");
	OPTS(both, "[report]\nsort_order = sym\nsort-order = dso\n");

	(void)state;
	assert_string_equal(older.sort_order, "dso");
	assert_string_equal(both.sort_order, "sym");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_limit_typed_beats_a_configured_one),
		cmocka_unit_test(the_words_of_g_beat_configured_ones),
		cmocka_unit_test(flags_typed_beat_configured_ones),
		cmocka_unit_test(groups_are_only_turned_off_by_their_variable),
		cmocka_unit_test(the_limit_of_rows_goes_before_that_of_branches),
		cmocka_unit_test(an_older_name_of_the_order_is_understood),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
