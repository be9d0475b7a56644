/* SPDX-License-Identifier: MIT */
#include "options/parse.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cli/command.h"
#include "tools/diff/opts.h"

extern const struct command cmd_diff;

static struct diff_opts opts;

static int parse(char **words)
{
	cmd_diff.done(&opts);
	memcpy(&opts, cmd_diff.defaults, sizeof(opts));
	return parse_words(cmd_diff.options, &opts, words, OPTION_STOP_NEVER);
}

#define DIFF(...) parse((char *[]){ __VA_ARGS__, NULL })

static void letters_are_those_of_linux(void **state)
{
	(void)state;
	assert_int_equal(DIFF("-b", "-p", "-F", "-q", "-f", "-m", "-v", "-o", "2", "-s", "comm",
			      "-S", "f", "-C", "sh", "-d", "libc", "-t", ";", "a", "b", "c"),
			 0);
	assert_int_equal(parsed.argc, 3);
	assert_true(opts.rq.baseline_only && opts.periods && opts.formulas);
	assert_int_equal(opts.rq.order, 2);
	assert_string_equal(opts.rq.comms, "sh");
	assert_string_equal(opts.separator, ";");
}

static void the_way_to_compare_is_checked(void **state)
{
	(void)state;
	assert_int_equal(DIFF("-c", "wdiff:1,2"), 0);
	assert_int_equal(opts.rq.method.weight_other, 2);
	assert_int_equal(DIFF("-c", "wdiff"), -EINVAL);
	assert_true(says("two weights belong here"));
	assert_int_equal(DIFF("-c", "sum"), -EINVAL);
	assert_true(says("'sum' is not a way to compare recordings"));
	assert_true(says("delta-abs"));
}

static void limits_add_up(void **state)
{
	(void)state;
	assert_int_equal(DIFF("--fail-if", "main > +2%", "--fail-if", "total > +5%"), 0);
	assert_int_equal(opts.rq.limits.n, 2);
	assert_int_equal(DIFF("--fail-if", "main >> 2"), -EINVAL);
	assert_true(says("a number is missing here"));
}

static void a_point_cannot_separate_columns(void **state)
{
	(void)state;
	assert_int_equal(DIFF("-t", "."), -EINVAL);
	assert_int_equal(DIFF("--percentage", "half"), -EINVAL);
	assert_int_equal(DIFF("--percentage", "relative"), 0);
	assert_int_equal(opts.percentage, PERCENTAGE_RELATIVE);
}

static int release(void **state)
{
	(void)state;
	cmd_diff.done(&opts);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_are_those_of_linux),
		cmocka_unit_test(the_way_to_compare_is_checked),
		cmocka_unit_test(limits_add_up),
		cmocka_unit_test(a_point_cannot_separate_columns),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
