/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/compare.h"
#include "base/diag.h"
#include "base/notes.h"
#include "measure/words.h"
#include "tools/stat/count-compare-work.h"

static const struct count_request twice = {
	.events = WORDS(E("duration_time")),
	.repeat.runs = 2,
};

/* A comparison and its result. */
struct compared {
	struct count_comparison c;
	struct notes notes;
	struct diag diag;
};

static void compared_done(struct compared *d)
{
	count_comparison_done(&d->c);
	notes_done(&d->notes);
	diag_done(&d->diag);
}

static int compare(struct compared *d, const char *limit, char **commands, size_t n)
{
	int r;

	count_comparison_init(&d->c, &twice, commands, n, &d->notes, &d->diag);
	r = limit ? count_comparison_limit(&d->c, limit) : 0;
	if (r >= 0)
		r = count_comparison_prepare(&d->c);
	return r < 0 ? r : count_comparison_run(&d->c);
}

static void commands_are_run_equally_often(void **state)
{
	char *commands[] = { "true", "exit 0" };
	_cleanup_(compared_done) struct compared d = { 0 };

	(void)state;
	assert_int_equal(compare(&d, NULL, commands, 2), 0);
	assert_int_equal(d.c.time->sides[0].n, 2);
	assert_int_equal(d.c.time->sides[1].n, 2);
	assert_int_equal(d.c.results.n, 0);
}

static void a_command_that_fails_is_no_measurement(void **state)
{
	char *commands[] = { "true", "exit 3" };
	_cleanup_(compared_done) struct compared d = { 0 };

	(void)state;
	assert_int_equal(compare(&d, NULL, commands, 2), -ECANCELED);
	assert_string_equal(d.diag.message, "'exit 3' ended with status 3");
}

static void a_limit_is_held_against_each_command_but_the_first(void **state)
{
	char *commands[] = { "true", "true", "true" };
	_cleanup_(compared_done) struct compared d = { 0 };

	(void)state;
	assert_int_equal(compare(&d, "time > +10000%", commands, 3), 0);
	assert_int_equal(d.c.results.n, 2);
	assert_int_equal(d.c.results.n_failed, 0);
}

static void a_limit_of_no_row_is_refused(void **state)
{
	char *commands[] = { "true", "true" };
	_cleanup_(compared_done) struct compared d = { 0 };

	(void)state;
	assert_int_equal(compare(&d, "cycles > 1", commands, 2), -ENOENT);
}

static void a_limit_that_makes_no_sense_is_refused(void **state)
{
	char *commands[] = { "true", "true" };
	_cleanup_(compared_done) struct compared d = { 0 };

	(void)state;
	assert_int_equal(compare(&d, "time", commands, 2), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_are_run_equally_often),
		cmocka_unit_test(a_command_that_fails_is_no_measurement),
		cmocka_unit_test(a_limit_is_held_against_each_command_but_the_first),
		cmocka_unit_test(a_limit_of_no_row_is_refused),
		cmocka_unit_test(a_limit_that_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
