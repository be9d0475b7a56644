/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/daemon/plan-work.h"

/* Adds one more variable to a plan, and returns the result. */
static int add(struct daemon_plan *p, const char *section, const char *name, const char *value,
	       struct diag *diag)
{
	return daemon_plan_add(p,
			       &(struct daemon_setting){ .section = section,
							 .name = name,
							 .value = value,
							 .origin = "file",
							 .line = 3,
							 .column = 7 },
			       diag);
}

static void refused(const char *section, const char *name, const char *value, int error,
		    const char *message)
{
	_cleanup_(daemon_plan_done) struct daemon_plan p = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(add(&p, section, name, value, &diag), error);
	assert_string_equal(diag.message, message);
}

static void sessions_are_in_the_order_of_the_file(void **state)
{
	_cleanup_(daemon_plan_done) struct daemon_plan p = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(add(&p, "daemon", "base", "/opt/perf", &diag), 0);
	assert_int_equal(add(&p, "session-b", "run", "-a", &diag), 0);
	assert_int_equal(add(&p, "session-a", "run", "-e cycles sleep 1", &diag), 0);
	assert_int_equal(add(&p, "session-b", "keep", "2h", &diag), 0);
	assert_int_equal(add(&p, "colors", "top", "red", &diag), 0);
	assert_int_equal(daemon_plan_check(&p, &diag), 0);
	assert_string_equal(p.base, "/opt/perf");
	assert_int_equal(p.n, 2);
	assert_string_equal(p.items[0].name, "b");
	assert_int_equal(p.items[0].keep_s, 7200);
	assert_string_equal(p.items[1].run, "-e cycles sleep 1");
	assert_int_equal(p.items[1].words.n, 4);
	assert_ptr_equal(daemon_plan_find(&p, "a"), &p.items[1]);
	assert_null(daemon_plan_find(&p, "c"));
}

static void a_later_value_wins(void **state)
{
	_cleanup_(daemon_plan_done) struct daemon_plan p = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(add(&p, "session-a", "run", "-a -g", &diag), 0);
	assert_int_equal(add(&p, "session-a", "run", "-C 1", &diag), 0);
	assert_int_equal(p.n, 1);
	assert_int_equal(p.items[0].words.n, 2);
	assert_string_equal(p.items[0].words.items[0], "-C");
}

static void names_that_are_no_folders_are_refused(void **state)
{
	(void)state;
	refused("session-", "run", "-a", -EINVAL,
		"file:3: '' is not a name for a session: it becomes the name of a folder");
	refused("session-..", "run", "-a", -EINVAL,
		"file:3: '..' is not a name for a session: it becomes the name of a folder");
	refused("session-a/b", "run", "-a", -EINVAL,
		"file:3: 'a/b' is not a name for a session: it becomes the name of a folder");
	refused("session-a.b", "run", "-a", -EINVAL,
		"file:3: 'a.b' is not a name for a session: it becomes the name of a folder");
	assert_false(daemon_name_is_valid("a\nb"));
	assert_false(daemon_name_is_valid("12345678901234567890123456789012345678901234567890123456"
					  "789012345"));
	assert_true(daemon_name_is_valid("Cycles_1-x"));
}

static void values_that_are_none_are_refused(void **state)
{
	(void)state;
	refused("session-a", "run", "", -EINVAL,
		"file:3:7: session-a.run: there is nothing after "
		"the =");
	refused("session-a", "run", " ", -EINVAL,
		"file:3:7: session-a.run: there are no words between the quotes");
	refused("session-a", "run", "-e 'x", -EINVAL,
		"file:3:10: session-a.run: this quote has no end");
	refused("session-a", "keep", "2", -EINVAL, "file:3:7: session-a.keep: this is not a time");
	refused("session-a", "keep", "2y", -EINVAL, "file:3:7: session-a.keep: this is not a time");
	refused("session-a", "keep", "0s", -EINVAL, "file:3:7: session-a.keep: this is not a time");
	refused("session-a", "keep", "99999999999999999999d", -EINVAL,
		"file:3:7: session-a.keep: this is not a time");
	refused("session-a", "max-size", "1", -EINVAL,
		"file:3:7: session-a.max-size: this is not a size of 1M or more");
	refused("daemon", "max-size", "x", -EINVAL,
		"file:3:7: daemon.max-size: this is not a size of 1M or more");
	refused("daemon", "base", "", -EINVAL,
		"file:3:7: daemon.base: there is nothing after the =");
}

static void unknown_variables_are_refused(void **state)
{
	_cleanup_(daemon_plan_done) struct daemon_plan p = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	refused("daemon", "bse", "x", -EINVAL, "file:3: [daemon] has no variable 'bse'");
	assert_int_equal(add(&p, "session-a", "max-sise", "1G", &diag), -EINVAL);
	assert_string_equal(diag.hint, "Did you mean 'max-size'?");
}

static void a_session_without_a_line_is_refused(void **state)
{
	_cleanup_(daemon_plan_done) struct daemon_plan p = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(add(&p, "session-a", "keep", "1h", &diag), 0);
	assert_int_equal(daemon_plan_check(&p, &diag), -EINVAL);
	assert_string_equal(diag.message, "file:3: [session-a] has no 'run'");
}

static void control_is_the_daemons_own(void **state)
{
	_cleanup_(daemon_plan_done) struct daemon_plan p = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(add(&p, "session-a", "run", "-- prog --control=x", &diag), 0);
	assert_int_equal(daemon_plan_check(&p, &diag), 0);
	assert_int_equal(add(&p, "session-a", "run", "--control=fd:1 -a", &diag), 0);
	assert_int_equal(daemon_plan_check(&p, &diag), -EINVAL);
	assert_string_equal(diag.message, "file:3: session 'a': --control is the daemon's own");
}

static void more_sessions_than_there_may_be_are_refused(void **state)
{
	_cleanup_(daemon_plan_done) struct daemon_plan p = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	char name[] = "session-aa";

	(void)state;
	for (int i = 0; i < DAEMON_SESSIONS_MAX; i++) {
		name[8] = (char)('a' + i / 26);
		name[9] = (char)('a' + i % 26);
		assert_int_equal(add(&p, name, "run", "-a", &diag), 0);
	}
	assert_int_equal(add(&p, "session-last", "run", "-a", &diag), -E2BIG);
	assert_string_equal(diag.message, "file:3: more than 64 sessions");
}

/* Checks the first word for `perf record`, with these limits. */
static void first_word_is(const char *run, const char *keep, const char *max, const char *total,
			  const char *expected)
{
	_cleanup_(daemon_plan_done) struct daemon_plan p = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(add(&p, "session-a", "run", run, &diag), 0);
	if (keep)
		assert_int_equal(add(&p, "session-a", "keep", keep, &diag), 0);
	if (max)
		assert_int_equal(add(&p, "session-a", "max-size", max, &diag), 0);
	if (total)
		assert_int_equal(add(&p, "daemon", "max-size", total, &diag), 0);
	assert_int_equal(daemon_plan_check(&p, &diag), 0);
	assert_string_equal(p.items[0].words.items[0], expected);
	assert_null(p.items[0].words.items[p.items[0].words.n]);
}

static void limits_need_files_that_can_go(void **state)
{
	(void)state;
	first_word_is("-a", NULL, NULL, NULL, "-a");
	first_word_is("-a", "2h", NULL, NULL, "--switch-output=450s");
	first_word_is("-a", "1m", NULL, NULL, "--switch-output=10s");
	first_word_is("-a", NULL, "1G", NULL, "--switch-output=65536K");
	first_word_is("-a", "2h", "1G", NULL, "--switch-output=65536K");
	first_word_is("-a", NULL, "1G", "160M", "--switch-output=10240K");
	first_word_is("-a", NULL, NULL, "2M", "--switch-output=1024K");
	first_word_is("-a --switch-output=1m", "2h", NULL, NULL, "-a");
	first_word_is("-- prog --switch-output", "2h", NULL, NULL, "--switch-output=450s");
}

static void times_have_units(void **state)
{
	uint64_t s = 7;

	(void)state;
	assert_int_equal(daemon_parse_time("90s", &s), 0);
	assert_int_equal(s, 90);
	assert_int_equal(daemon_parse_time("7d", &s), 0);
	assert_int_equal(s, 7 * 86400);
	assert_int_equal(daemon_parse_time("s", &s), -EINVAL);
	assert_int_equal(daemon_parse_time("", &s), -EINVAL);
	assert_int_equal(daemon_parse_time("1ms", &s), -EINVAL);
	assert_int_equal(daemon_parse_time("9999999999999999d", &s), -ERANGE);
	assert_int_equal(s, 7 * 86400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sessions_are_in_the_order_of_the_file),
		cmocka_unit_test(a_later_value_wins),
		cmocka_unit_test(names_that_are_no_folders_are_refused),
		cmocka_unit_test(values_that_are_none_are_refused),
		cmocka_unit_test(unknown_variables_are_refused),
		cmocka_unit_test(a_session_without_a_line_is_refused),
		cmocka_unit_test(control_is_the_daemons_own),
		cmocka_unit_test(more_sessions_than_there_may_be_are_refused),
		cmocka_unit_test(limits_need_files_that_can_go),
		cmocka_unit_test(times_have_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
