/* SPDX-License-Identifier: MIT */
#include "options/lines.h"

extern const struct command cmd_script;

static int parse(char **words)
{
	_cleanup_(freep) void *opts = xcalloc(1, cmd_script.opts_size);
	int r = parse_words(cmd_script.options, opts, words, OPTION_STOP_POSITIONAL);

	cmd_script.done(opts);
	return r;
}

#define SCRIPT(...) parse((char *[]){ __VA_ARGS__, NULL })

static void every_line_that_users_write_is_understood(void **state)
{
	(void)state;
	assert_true(parse_lines(&cmd_script) > 10);
}

static void the_old_f_takes_a_list_of_fields(void **state)
{
	(void)state;
	assert_int_equal(SCRIPT("-f", "time,event,trace"), 0);
	assert_int_equal(parsed.argc, 0);
	assert_int_equal(SCRIPT("-f", "comm"), 0);
	assert_int_equal(parsed.argc, 0);
}

static void any_other_f_forces(void **state)
{
	(void)state;
	assert_int_equal(SCRIPT("-f", "syscall-counts"), 0);
	assert_int_equal(parsed.argc, 1);
	assert_int_equal(SCRIPT("-fi", "perf.data"), 0);
	assert_int_equal(parsed.argc, 0);
	assert_int_equal(SCRIPT("--force", "comm"), 0);
	assert_int_equal(parsed.argc, 1);
}

static void a_script_keeps_its_own_options(void **state)
{
	(void)state;
	assert_int_equal(SCRIPT("-v", "record", "netdev-times", "-a"), 0);
	assert_int_equal(parsed.argc, 3);
}

static void instructions_are_shown_raw_or_disassembled(void **state)
{
	(void)state;
	assert_int_equal(SCRIPT("--insn-trace"), 0);
	assert_int_equal(SCRIPT("--insn-trace=disasm", "--xed"), 0);
	assert_int_equal(SCRIPT("--insn-trace=x"), -EINVAL);
	assert_true(says("neither raw nor disasm"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_that_users_write_is_understood),
		cmocka_unit_test(the_old_f_takes_a_list_of_fields),
		cmocka_unit_test(any_other_f_forces),
		cmocka_unit_test(a_script_keeps_its_own_options),
		cmocka_unit_test(instructions_are_shown_raw_or_disassembled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
