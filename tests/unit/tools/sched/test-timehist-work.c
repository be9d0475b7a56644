/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "base/notes.h"
#include "profile/recorded.h"
#include "tools/sched/timehist-work.h"

static void a_recording_without_switches_is_refused(void **state)
{
	struct recording r = recording_new();
	struct recorded recorded = { .session = opened(&r, false) };
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(notes_done) struct notes notes = { 0 };
	struct timehist *model = NULL;
	const struct timehist_request rq = { 0 };

	(void)state;
	assert_int_equal(sample_filter_new(&recorded.filter_request, &recorded.filter, &diag), 0);
	assert_int_equal(timehist_run(&recorded, &rq, &notes, &model, &diag), -ENOENT);
	assert_null(model);
	assert_non_null(strstr(diag.message, "perf sched record"));
	recorded_done(&recorded);
	recording_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_without_switches_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
