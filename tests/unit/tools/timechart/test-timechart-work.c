/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>
#include <string.h>

#include "base/notes.h"
#include "tools/timechart/timechart-work.h"

static void a_recording_without_switches_says_what_is_missing(void **state)
{
	struct recording rec = recording_new();
	struct timechart_request rq = { 0 };
	struct timechart t;
	struct notes notes = { 0 };
	struct diag diag = { 0 };
	char path[32];

	(void)state;
	comm(&rec, 7, 7, "work", 1);
	sampled(&rec, 1, 7, 900);
	stored(&rec, path);
	rq.path = path;
	assert_int_equal(timechart_make(&rq, &t, &notes, &diag), -ENODATA);
	assert_non_null(strstr(diag.message, "perf timechart record"));
	timechart_done(&t);
	notes_done(&notes);
	diag_done(&diag);
	recording_done(&rec);
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
	const struct timechart_request rq = { .path = "/nonexistent/perf.data" };
	struct timechart t;
	struct notes notes = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(timechart_make(&rq, &t, &notes, &diag), -ENOENT);
	timechart_done(&t);
	notes_done(&notes);
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_without_switches_says_what_is_missing),
		cmocka_unit_test(a_file_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
