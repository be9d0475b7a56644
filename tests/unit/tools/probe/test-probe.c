/* SPDX-License-Identifier: MIT */
#include "options/lines.h"
#include "tools/probe/show.h"

extern const struct command cmd_probe;

/* The options borrow the words, so the words must stay. */
#define PROBE(o, ...)                                                                              \
	parse_words(cmd_probe.options, o, (char *[]){ __VA_ARGS__, NULL }, OPTION_STOP_NEVER)

static void done(struct probe_opts *o)
{
	cmd_probe.done(o);
}

static void every_line_that_users_write_is_understood(void **state)
{
	(void)state;
	assert_true(parse_lines(&cmd_probe) > 120);
}

static void an_option_behind_V_is_not_its_value(void **state)
{
	_cleanup_(done) struct probe_opts o = { 0 };

	(void)state;
	assert_int_equal(PROBE(&o, "-V", "--externs", "tcp_sendmsg"), 0);
	assert_true(o.rq.externs);
	assert_string_equal(o.vars, "");
	assert_int_equal(parsed.argc, 1);
	assert_string_equal(parsed.argv[0], "tcp_sendmsg");
}

static void options_may_stand_behind_the_definition(void **state)
{
	_cleanup_(done) struct probe_opts o = { 0 };

	(void)state;
	assert_int_equal(PROBE(&o, "tcp_sendmsg:20", "-f"), 0);
	assert_true(o.rq.force);
	assert_int_equal(parsed.argc, 1);
}

static void letters_are_bundled(void **state)
{
	_cleanup_(done) struct probe_opts o = { 0 };

	(void)state;
	assert_int_equal(PROBE(&o, "-nv", "f"), 0);
	assert_true(o.rq.dry_run);
	assert_int_equal(o.verbosity.verbose, 1);
}

static void each_definition_has_the_target_before_it(void **state)
{
	_cleanup_(done) struct probe_opts o = { 0 };

	(void)state;
	assert_int_equal(
		PROBE(&o, "-x", "/a", "-a", "f", "-x", "/b", "-a", "g", "-m", "ext4", "-a", "h x"),
		0);
	assert_int_equal(o.add.n, 3);
	assert_string_equal(o.add.items[0].program, "/a");
	assert_string_equal(o.add.items[1].program, "/b");
	assert_null(o.add.items[2].program);
	assert_string_equal(o.add.items[2].module, "ext4");
	assert_string_equal(o.add.items[2].text, "h x");
}

static void a_target_behind_the_definitions_is_theirs_too(void **state)
{
	_cleanup_(done) struct probe_opts o = { 0 };

	(void)state;
	assert_int_equal(PROBE(&o, "-D", "f", "-D", "g", "-x", "/a"), 0);
	assert_int_equal(o.definition.n, 2);
	assert_string_equal(o.definition.items[0].program, "/a");
	assert_string_equal(o.definition.items[1].program, "/a");
}

static void the_pattern_of_l_and_F_is_optional(void **state)
{
	_cleanup_(done) struct probe_opts o = { 0 };

	(void)state;
	assert_int_equal(PROBE(&o, "-l"), 0);
	assert_string_equal(o.list, "");
	assert_int_equal(PROBE(&o, "--list=probe:*"), 0);
	assert_string_equal(o.list, "probe:*");
	assert_int_equal(PROBE(&o, "-F", "-m", "ext4"), 0);
	assert_string_equal(o.funcs, "");
	assert_string_equal(o.rq.module, "ext4");
	assert_int_equal(PROBE(&o, "-F", "/lib/modules/6.1.0/bridge.ko"), 0);
	assert_string_equal(o.funcs, "");
	assert_int_equal(parsed.argc, 1);
	assert_int_equal(PROBE(&o, "-F", "tcp_*"), 0);
	assert_string_equal(o.funcs, "tcp_*");
}

static void an_empty_target_is_refused(void **state)
{
	_cleanup_(done) struct probe_opts o = { 0 };

	(void)state;
	assert_true(PROBE(&o, "-x", "", "f") < 0);
	assert_true(says("the path of a program"));
	assert_true(PROBE(&o, "-m", "", "f") < 0);
	assert_true(says("a module"));
}

static void what_demangles_can_be_said_either_way(void **state)
{
	_cleanup_(done) struct probe_opts o = { 0 };

	(void)state;
	assert_int_equal(PROBE(&o, "--no-demangle"), 0);
	assert_int_equal(o.demangle, CHOICE_NO);
	assert_int_equal(PROBE(&o, "--demangle"), 0);
	assert_int_equal(o.demangle, CHOICE_YES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_that_users_write_is_understood),
		cmocka_unit_test(an_option_behind_V_is_not_its_value),
		cmocka_unit_test(options_may_stand_behind_the_definition),
		cmocka_unit_test(letters_are_bundled),
		cmocka_unit_test(each_definition_has_the_target_before_it),
		cmocka_unit_test(a_target_behind_the_definitions_is_theirs_too),
		cmocka_unit_test(the_pattern_of_l_and_F_is_optional),
		cmocka_unit_test(an_empty_target_is_refused),
		cmocka_unit_test(what_demangles_can_be_said_either_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
