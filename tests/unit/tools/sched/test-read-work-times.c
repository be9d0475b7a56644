/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "tools/sched/task-times-model.h"
#include "base/notes.h"
#include "profile/recorded.h"
#include "tools/sched/read-work.h"

static void a_recording_without_switches_is_refused(void **state)
{
	struct recording r = recording_new();
	struct recorded recorded = { .session = opened(&r, false) };
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(task_times_done) struct task_times t = { 0 };

	(void)state;
	assert_int_equal(sample_filter_new(&recorded.filter_request, &recorded.filter, &diag), 0);
	assert_int_equal(task_times_read(&recorded, &t, &notes, &diag), -ENODATA);
	assert_int_equal(t.tasks.n, 0);
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
