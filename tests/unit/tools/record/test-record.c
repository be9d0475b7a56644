/* SPDX-License-Identifier: MIT */
#include "options/lines.h"

extern const struct command cmd_record;

static int parse(char **words)
{
	_cleanup_(freep) void *opts = xcalloc(1, cmd_record.opts_size);
	int r = parse_words(cmd_record.options, opts, words, OPTION_STOP_POSITIONAL);

	cmd_record.done(opts);
	return r;
}

#define RECORD(...) parse((char *[]){ __VA_ARGS__, NULL })

static void every_line_that_users_write_is_understood(void **state)
{
	(void)state;
	assert_true(parse_lines(&cmd_record) > 100);
}

static void the_workload_keeps_its_own_options(void **state)
{
	(void)state;
	assert_int_equal(RECORD("-a", "grep", "-g", "x"), 0);
	assert_int_equal(parsed.argc, 3);
	assert_string_equal(parsed.argv[1], "-g");
}

static void letters_may_follow_g_in_one_word(void **state)
{
	(void)state;
	assert_int_equal(RECORD("-gaR", "sleep", "1"), 0);
	assert_int_equal(parsed.argc, 2);
}

static void switches_of_old_versions_are_accepted(void **state)
{
	(void)state;
	assert_int_equal(RECORD("-f", "-l", "true"), 0);
	assert_int_equal(parsed.argc, 1);
}

static void what_is_called_no_x_can_be_undone_in_two_ways(void **state)
{
	(void)state;
	assert_int_equal(RECORD("--buildid", "--no-no-buildid-cache", "true"), 0);
}

static void a_mode_after_g_is_not_the_workload(void **state)
{
	(void)state;
	assert_int_equal(RECORD("-ag", "dwarf", "sleep", "10"), 0);
	assert_string_equal(parsed.argv[0], "sleep");
}

static void a_filter_without_an_event_is_refused(void **state)
{
	(void)state;
	assert_int_equal(RECORD("--filter", "x > 0", "true"), -EINVAL);
	assert_true(says("--filter option should follow a -e"));
}

static void unwinding_is_now_or_later(void **state)
{
	(void)state;
	assert_int_equal(RECORD("--unwind=now", "true"), 0);
	assert_int_equal(RECORD("--unwind", "later", "true"), 0);
	assert_int_equal(RECORD("--no-unwind", "true"), 0);
	assert_int_equal(RECORD("--unwind=soon", "true"), -EINVAL);
	assert_true(says("'soon' is neither now nor later"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_that_users_write_is_understood),
		cmocka_unit_test(the_workload_keeps_its_own_options),
		cmocka_unit_test(letters_may_follow_g_in_one_word),
		cmocka_unit_test(switches_of_old_versions_are_accepted),
		cmocka_unit_test(what_is_called_no_x_can_be_undone_in_two_ways),
		cmocka_unit_test(a_mode_after_g_is_not_the_workload),
		cmocka_unit_test(unwinding_is_now_or_later),
		cmocka_unit_test(a_filter_without_an_event_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
