/* SPDX-License-Identifier: MIT */
#include "two-recordings.h"

#include <errno.h>

#include "base/notes.h"
#include "tools/diff/statistics-work.h"
#include "tools/diff/repeats-model.h"

static void limits_are_judged_where_their_row_is(void **state)
{
	struct fixture *f = *state;
	_cleanup_(diff_statistics_done) struct diff_statistics s = { 0 };

	assert_int_equal(thresholds_parse(&f->rq.limits, "work > +2%", &f->diag), 0);
	assert_int_equal(read_all(f), 0);
	assert_int_equal(diff_statistics_make(&s, &f->job, &f->diag), 0);
	assert_int_equal(s.n, RECORDING_EVENTS);
	assert_int_equal(s.parts[0].results.n, 1);
	/* One recording on each side gives no statistics. */
	assert_int_equal(s.parts[0].results.n_unknown, 1);
	assert_int_equal(s.parts[1].results.n, 0);
}

static void a_limit_of_a_row_that_nobody_has_is_refused(void **state)
{
	struct fixture *f = *state;
	_cleanup_(diff_statistics_done) struct diff_statistics s = { 0 };

	assert_int_equal(thresholds_parse(&f->rq.limits, "wrok > +2%", &f->diag), 0);
	assert_int_equal(read_all(f), 0);
	assert_int_equal(diff_statistics_make(&s, &f->job, &f->diag), -ENOENT);
	assert_string_equal(f->diag.message, "'wrok' is limited, but no recording has it");
	assert_string_equal(f->diag.hint, "Did you mean 'work'?");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(limits_are_judged_where_their_row_is),
		TEST(a_limit_of_a_row_that_nobody_has_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
