/* SPDX-License-Identifier: MIT */
#include "options/lines.h"

extern const struct command cmd_report;

static int parse(char **words)
{
	_cleanup_(freep) void *opts = xcalloc(1, cmd_report.opts_size);
	int r = parse_words(cmd_report.options, opts, words, OPTION_STOP_NEVER);

	cmd_report.done(opts);
	return r;
}

#define REPORT(...) parse((char *[]){ __VA_ARGS__, NULL })

static void every_line_that_users_write_is_understood(void **state)
{
	(void)state;
	assert_true(parse_lines(&cmd_report) > 10);
}

static void the_profile_may_stand_between_the_options(void **state)
{
	(void)state;
	assert_int_equal(REPORT("-n", "perf.data.old", "--stdio"), 0);
	assert_int_equal(parsed.argc, 1);
	assert_string_equal(parsed.argv[0], "perf.data.old");
}

static void g_leaves_a_file_name_alone(void **state)
{
	(void)state;
	assert_int_equal(REPORT("-g", "perf.data"), 0);
	assert_int_equal(parsed.argc, 1);
	assert_int_equal(REPORT("-g", "caller", "perf.data"), 0);
	assert_int_equal(parsed.argc, 1);
	assert_int_equal(REPORT("-g", "graph,0.5,caller", "-n"), 0);
	assert_int_equal(parsed.argc, 0);
}

static void one_dash_is_enough_for_stdio_and_tui(void **state)
{
	(void)state;
	assert_int_equal(REPORT("-stdio"), 0);
	assert_int_equal(REPORT("-tui"), 0);
}

static void the_old_spelling_of_n_is_accepted(void **state)
{
	(void)state;
	assert_int_equal(REPORT("--show_nr_samples"), 0);
	assert_int_equal(REPORT("--showcpuutilization"), 0);
}

static void a_point_cannot_separate_columns(void **state)
{
	(void)state;
	assert_int_equal(REPORT("-t,"), 0);
	assert_int_equal(REPORT("-t."), -EINVAL);
}

static void percentages_are_checked(void **state)
{
	(void)state;
	assert_int_equal(REPORT("--percent-limit", "0.5", "--percentage", "absolute"), 0);
	assert_int_equal(REPORT("--percent-limit", "5%"), 0);
	assert_int_equal(REPORT("--percent-limit", "nan"), -EINVAL);
	assert_int_equal(REPORT("--percent-limit", "101"), -EINVAL);
	assert_int_equal(REPORT("--percentage", "abs"), -EINVAL);
}

static void a_window_is_not_there_and_says_what_is(void **state)
{
	(void)state;
	assert_int_equal(REPORT("--gtk"), -EINVAL);
	assert_true(says("--stdio"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_that_users_write_is_understood),
		cmocka_unit_test(the_profile_may_stand_between_the_options),
		cmocka_unit_test(g_leaves_a_file_name_alone),
		cmocka_unit_test(one_dash_is_enough_for_stdio_and_tui),
		cmocka_unit_test(the_old_spelling_of_n_is_accepted),
		cmocka_unit_test(a_point_cannot_separate_columns),
		cmocka_unit_test(percentages_are_checked),
		cmocka_unit_test(a_window_is_not_there_and_says_what_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
