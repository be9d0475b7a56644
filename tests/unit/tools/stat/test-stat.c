/* SPDX-License-Identifier: MIT */
#include "options/lines.h"

extern const struct command cmd_stat;

static int parse(char **words)
{
	_cleanup_(freep) void *opts = xcalloc(1, cmd_stat.opts_size);
	int r = parse_words(cmd_stat.options, opts, words, OPTION_STOP_POSITIONAL);

	cmd_stat.done(opts);
	return r;
}

#define STAT(...) parse((char *[]){ __VA_ARGS__, NULL })

static void every_line_that_users_write_is_understood(void **state)
{
	(void)state;
	assert_true(parse_lines(&cmd_stat) > 60);
}

static void g_is_a_group_and_takes_no_mode(void **state)
{
	(void)state;
	assert_int_equal(STAT("-ag", "dwarf"), 0);
	assert_int_equal(parsed.argc, 1);
}

static void a_separator_may_be_attached(void **state)
{
	(void)state;
	assert_int_equal(STAT("-ax,", "-x", "\\t", "sleep", "5"), 0);
	assert_int_equal(parsed.argc, 2);
}

static void the_options_of_3_9_are_still_there(void **state)
{
	(void)state;
	assert_int_equal(STAT("-a", "-c", "-B", "-S", "--aggr-socket", "true"), 0);
}

static void a_timeout_below_ten_milliseconds_is_refused(void **state)
{
	(void)state;
	assert_int_equal(STAT("--timeout", "10", "-a"), 0);
	assert_int_equal(STAT("--timeout", "9", "-a"), -EINVAL);
	assert_true(says("timeout must be >= 10ms."));
}

static void zero_runs_are_for_ever_and_fewer_are_refused(void **state)
{
	(void)state;
	assert_int_equal(STAT("-r", "0", "true"), 0);
	assert_int_equal(STAT("-r0", "true"), 0);
	assert_int_equal(STAT("-r", "-1", "true"), -EINVAL);
	assert_true(says("Run count must be a positive number"));
}

static void a_log_goes_to_a_descriptor_above_zero(void **state)
{
	(void)state;
	assert_int_equal(STAT("--log-fd", "3", "true"), 0);
	assert_int_equal(STAT("--log-fd", "-1", "true"), -EINVAL);
	assert_int_equal(STAT("--log-fd", "x", "true"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_that_users_write_is_understood),
		cmocka_unit_test(g_is_a_group_and_takes_no_mode),
		cmocka_unit_test(a_separator_may_be_attached),
		cmocka_unit_test(the_options_of_3_9_are_still_there),
		cmocka_unit_test(a_timeout_below_ten_milliseconds_is_refused),
		cmocka_unit_test(zero_runs_are_for_ever_and_fewer_are_refused),
		cmocka_unit_test(a_log_goes_to_a_descriptor_above_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
