/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pty.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/terminal.h"
#include "skip.h"

static void a_file_is_eighty_columns_wide(void **state)
{
	_cleanup_(fclosep) FILE *f = fopen("/dev/null", "w");

	(void)state;
	unsetenv("COLUMNS");
	setenv("TERM", "xterm", 1);
	assert_false(terminal_is(f));
	assert_false(terminal_understands(f));
	assert_int_equal(terminal_width(f), 80);
	assert_int_equal(terminal_height(f), 0);
}

static void a_terminal_says_how_wide_it_is(void **state)
{
	struct winsize size = { .ws_row = 24, .ws_col = 132 };
	int master, slave;

	(void)state;
	unsetenv("COLUMNS");
	if (openpty(&master, &slave, NULL, NULL, &size) < 0)
		skip_because("there are no pseudo-terminals");

	_cleanup_(closep) int keep = master;
	_cleanup_(fclosep) FILE *f = fdopen(slave, "w");

	assert_true(terminal_is(f));
	setenv("TERM", "xterm", 1);
	assert_true(terminal_understands(f));
	setenv("TERM", "dumb", 1);
	assert_false(terminal_understands(f));
	unsetenv("TERM");
	assert_false(terminal_understands(f));
	assert_int_equal(terminal_width(f), 132);
	assert_int_equal(terminal_height(f), 24);
	setenv("COLUMNS", "100", 1);
	assert_int_equal(terminal_width(f), 100);
	assert_int_equal(keep, master);
}

static void a_width_stays_sensible(void **state)
{
	_cleanup_(fclosep) FILE *f = fopen("/dev/null", "w");

	(void)state;
	setenv("COLUMNS", "1", 1);
	assert_int_equal(terminal_width(f), 20);
	setenv("COLUMNS", "99999999999", 1);
	assert_int_equal(terminal_width(f), 10000);
	setenv("COLUMNS", "wide", 1);
	assert_int_equal(terminal_width(f), 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_eighty_columns_wide),
		cmocka_unit_test(a_terminal_says_how_wide_it_is),
		cmocka_unit_test(a_width_stays_sensible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
