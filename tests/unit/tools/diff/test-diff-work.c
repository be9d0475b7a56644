/* SPDX-License-Identifier: MIT */
#include "two-recordings.h"

#include <errno.h>

#include "base/notes.h"

static void rows_of_an_event_are_matched(void **state)
{
	struct fixture *f = *state;
	_cleanup_(diff_freep) struct diff *d = NULL;
	_cleanup_(notes_done) struct notes notes = { 0 };

	assert_int_equal(read_all(f), 0);
	assert_int_equal(f->job.n, 2);
	assert_false(f->job.is_repeated);
	assert_string_equal(f->job.names[1], f->paths[1]);
	d = diff_of_event(&f->job, &f->job.options, session_event(f->job.recordings[0].session, 0));
	assert_int_equal(d->n, 1);
	diff_job_note(&f->job, &notes);
}

static void a_side_that_is_not_there_cannot_be_sorted_by(void **state)
{
	struct fixture *f = *state;

	f->rq.order = 2;
	assert_int_equal(read_all(f), -EINVAL);
	assert_string_equal(f->diag.message, "-o 2: there are only 2 sides");
}

static void spans_of_time_are_for_all_or_for_each(void **state)
{
	struct fixture *f = *state;

	f->rq.time = "0%-10%:0%-10%:0%-10%";
	assert_int_equal(read_all(f), -EINVAL);
	assert_string_equal(f->diag.message, "--time has 3 spans for 2 sides");
}

static void weighted_differences_have_no_statistics(void **state)
{
	struct fixture *f = *state;

	f->rq.method.compute = DIFF_WDIFF;
	f->rq.statistics = true;
	assert_int_equal(read_all(f), -EINVAL);
}

static void a_recording_that_is_missing_is_named(void **state)
{
	struct fixture *f = *state;

	f->argv[1] = "/nowhere/perf.data";
	assert_int_equal(read_all(f), -ENOENT);
	assert_string_equal(f->diag.message, "there is no recording '/nowhere/perf.data'");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(rows_of_an_event_are_matched),
		TEST(a_side_that_is_not_there_cannot_be_sorted_by),
		TEST(spans_of_time_are_for_all_or_for_each),
		TEST(weighted_differences_have_no_statistics),
		TEST(a_recording_that_is_missing_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
