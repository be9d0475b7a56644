/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pty.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/colour.h"
#include "skip.h"

struct opts {
	enum colour_when when;
};

static const struct option option = OPT_COLOUR(struct opts, when);

static void assert_set(const char *value, bool negated, enum colour_when expected)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	enum colour_when when = COLOUR_AUTO;

	assert_int_equal(colour_set(&when, &option, value, negated, &d), 0);
	assert_int_equal(when, expected);
}

static void the_option_has_three_words(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	enum colour_when when = COLOUR_ALWAYS;

	(void)state;
	assert_set("auto", false, COLOUR_AUTO);
	assert_set("always", false, COLOUR_ALWAYS);
	assert_set("never", false, COLOUR_NEVER);
	assert_set(NULL, true, COLOUR_NEVER);
	assert_int_equal(colour_set(&when, &option, "red", false, &d), -EINVAL);
	assert_string_equal(d.message, "option `color' expects auto, always or never, not 'red'");
	assert_int_equal(when, COLOUR_ALWAYS);
}

static void a_file_has_no_colours_unless_asked(void **state)
{
	_cleanup_(fclosep) FILE *f = fopen("/dev/null", "w");

	(void)state;
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	assert_false(colour_wanted(COLOUR_AUTO, f));
	assert_false(colour_wanted(COLOUR_NEVER, f));
	assert_true(colour_wanted(COLOUR_ALWAYS, f));
}

static void a_terminal_has_colours_unless_it_cannot_or_must_not(void **state)
{
	int master, slave;

	(void)state;
	if (openpty(&master, &slave, NULL, NULL, NULL) < 0)
		skip_because("there are no pseudo-terminals");

	_cleanup_(closep) int keep = master;
	_cleanup_(fclosep) FILE *f = fdopen(slave, "w");

	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	assert_true(colour_wanted(COLOUR_AUTO, f));
	setenv("NO_COLOR", "", 1);
	assert_true(colour_wanted(COLOUR_AUTO, f));
	setenv("NO_COLOR", "1", 1);
	assert_false(colour_wanted(COLOUR_AUTO, f));
	assert_true(colour_wanted(COLOUR_ALWAYS, f));
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	assert_false(colour_wanted(COLOUR_AUTO, f));
	unsetenv("TERM");
	assert_false(colour_wanted(COLOUR_AUTO, f));
	assert_int_equal(keep, master);
}

static void codes_are_empty_when_colours_are_off(void **state)
{
	(void)state;
	assert_string_equal(colour_code(false, COLOUR_RED), "");
	assert_string_equal(colour_code(true, COLOUR_RED), "\033[31m");
	assert_string_equal(colour_code(true, COLOUR_OFF), "\033[m");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_option_has_three_words),
		cmocka_unit_test(a_file_has_no_colours_unless_asked),
		cmocka_unit_test(a_terminal_has_colours_unless_it_cannot_or_must_not),
		cmocka_unit_test(codes_are_empty_when_colours_are_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
